// A classic script loaded before anything is painted, so that a page never flashes in the wrong theme.
// The policy of the pages forbids inline scripts, hence a file of its own.
;(() => {
  let wanted = 'delgdark'
  try {
    wanted = localStorage.getItem('theme') || wanted
  } catch {
    // Storage may be forbidden; the default theme holds then.
  }
  if (wanted === 'system') wanted = matchMedia('(prefers-color-scheme: light)').matches ? 'delglight' : 'delgdark'
  if (wanted !== 'delglight') wanted = 'delgdark'
  document.documentElement.dataset.theme = wanted
})()
