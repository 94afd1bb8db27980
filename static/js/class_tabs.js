// On a phone, the tabs of a class scroll sideways: show the one that is open.
(() => {
  const tabs = document.querySelector(".class-tabs");
  const here = tabs?.querySelector("[aria-current]");
  if (here) tabs.scrollLeft += here.getBoundingClientRect().left - tabs.getBoundingClientRect().left - (tabs.clientWidth - here.clientWidth) / 2;
})();
