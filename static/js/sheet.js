// The menu and the team's rail slide over a narrow page as sheets: while one is open, nothing behind it can be reached.
(() => {
  const sheets = [...document.querySelectorAll("[data-sheet]")];
  const behind = (sheet) => [...document.body.children].filter((piece) => piece !== sheet && !piece.contains(sheet) && !piece.matches("[popover]:popover-open"));
  let stilled = [];

  function release() {
    for (const piece of stilled) piece.inert = false;
    stilled = [];
  }
  for (const sheet of sheets) {
    // Before it closes, so that the focus can go back to the button that opened it.
    sheet.addEventListener("beforetoggle", (event) => event.newState === "closed" && release());
    // A link in the sheet to this page points behind it.
    sheet.addEventListener("click", (event) => event.target.closest('a[href^="#"]') && sheet.matches(":popover-open") && sheet.hidePopover());
    sheet.addEventListener("toggle", (event) => {
      if (event.newState !== "open") return sheet.removeAttribute("role");
      sheet.setAttribute("role", "dialog");
      stilled = behind(sheet).filter((piece) => !piece.inert);
      for (const piece of stilled) piece.inert = true;
      sheet.querySelector("[popovertargetaction=hide]")?.focus();
    });
  }
  // In a wide window both are shown next to the page and are not sheets.
  addEventListener("resize", () => {
    for (const sheet of sheets) {
      if (sheet.matches(":popover-open") && !sheet.querySelector("[popovertargetaction=hide]").offsetParent) sheet.hidePopover();
    }
  });
})();
