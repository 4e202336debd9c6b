// The theme is set before anything is painted. A file of its own, as the content security policy
// allows no script in the page; web/lib/theme.ts writes what it reads.
try {
  if (localStorage.getItem('presale.theme') === 'string:blue') {
    document.documentElement.dataset.theme = 'blue'
  }
} catch {
  // Without a storage the default theme stays.
}
