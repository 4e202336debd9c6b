// Sets the theme before the first paint. Read and written again by app/theme.ts.
try {
  if (localStorage.getItem('presale.theme') === 'string:blue') {
    document.documentElement.dataset.theme = 'blue'
  }
} catch {
  // Without a storage the default theme stays.
}
