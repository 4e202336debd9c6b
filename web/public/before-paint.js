// What a page that the server rendered needs before it is seen and before its scripts are there.
// A file of its own, as the content security policy allows no script in the page.
const page = document.documentElement
try {
  // Read and written again by app/theme.ts.
  if (localStorage.getItem('presale.theme') === 'string:blue') page.dataset.theme = 'blue'
  // Who is logged in is not shown a form for visitors; see screens/form-page.tsx and main.tsx.
  if (localStorage.getItem('presale.loggedIn') === 'boolean:true') page.dataset.session = 'kept'
} catch {
  // Without a storage the default theme stays, and nobody is logged in.
}
// The theme can be switched before the page can answer; from then on app/theme.ts does it.
page.dataset.waiting = ''
document.addEventListener('click', (event) => {
  if (page.dataset.waiting === undefined) return
  if (event.target.closest('[data-switches-theme]') === null) return
  page.dataset.theme = page.dataset.theme === 'blue' ? 'dark' : 'blue'
  try {
    localStorage.setItem('presale.theme', `string:${page.dataset.theme}`)
  } catch {
    // Kept for this page only.
  }
})
// A form that is sent before the page can answer waits for it; see app/early-input.tsx.
document.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return
  event.preventDefault()
  event.target.dataset.sentEarly = ''
})
