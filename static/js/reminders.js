// Shows reminders of the planner that come due while a page is open. A failed look is made up for by the next one.
(() => {
  const EVERY_MS = 60_000;
  const place = document.querySelector("[data-reminders]");
  if (!place) return;
  let isSame = "";

  async function look() {
    // A planner page has its own list already.
    if (document.hidden || !navigator.onLine || document.getElementById("planner")) return;
    try {
      const answer = await fetch(place.dataset.reminders, { headers: { "HX-Request": "true" } });
      const html = answer.status === 200 ? await answer.text() : "";
      // The same words again would be read aloud again.
      if (answer.ok && html.replace(/name="csrfmiddlewaretoken" value="[^"]*"/g, "") !== isSame) {
        isSame = html.replace(/name="csrfmiddlewaretoken" value="[^"]*"/g, "");
        place.innerHTML = html;
      }
    } catch {}
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("[data-reminders-close]");
    if (!form || !place.contains(form)) return;
    event.preventDefault();
    try {
      const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { "X-Requested-With": "fetch" } });
      if (answer.ok) place.replaceChildren();
    } catch {}
  });
  setTimeout(look, 2_000);
  setInterval(look, EVERY_MS);
  document.addEventListener("visibilitychange", look);
})();
