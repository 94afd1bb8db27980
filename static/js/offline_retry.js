// On the offline page: requests the wanted address again, by hand or when the server answers.
const EVERY_MS = 8000;
const again = () => location.reload();
document.getElementById("again").addEventListener("click", again);
addEventListener("online", again);
setInterval(async () => {
  try {
    await fetch("/health", { cache: "no-store" });
    again();
  } catch {}
}, EVERY_MS);
