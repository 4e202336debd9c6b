// What a page that the server rendered needs before it is seen and before its scripts are there.
// A file of its own, as the content security policy allows no script in the page.
const page = document.documentElement
try {
  // Read and written again by lib/theme.ts.
  if (localStorage.getItem('presale.theme') === 'string:blue') page.dataset.theme = 'blue'
  // Who is logged in is not shown a form for visitors; see screens/form-page.tsx and main.tsx.
  if (localStorage.getItem('presale.loggedIn') === 'boolean:true') page.dataset.session = 'kept'
  if (location.pathname === '/register') {
    // Kept before anything leads away, also from whoever's session this device holds: who registers
    // may have to log it out first. See features/account/sign-in/kept-referral.ts.
    const referral = new URLSearchParams(location.search).get('referral')
    if (referral) sessionStorage.setItem('presale.referral', `string:${referral}`)
  }
} catch {
  // Without a storage the default theme stays, and nobody is logged in.
}
// The code of the page, by who it is for; the server knows the page, and not who asks.
const modules = document.querySelector('meta[name=modules]')?.dataset
const files = modules?.[page.dataset.session === 'kept' ? 'user' : 'visitor'] ?? ''
for (const href of files.split(' ').filter(Boolean)) {
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }),
  )
}
// The frame of a page is sent for whoever is logged in; what is known here is put in as it comes.
if (page.dataset.session === 'kept') {
  const observer = new MutationObserver(() => {
    const frame = document.querySelector('[data-frame]')
    if (frame !== null) fillIn(frame)
  })
  observer.observe(page, { childList: true, subtree: true })
  document.addEventListener('DOMContentLoaded', () => observer.disconnect())
}
function fillIn(frame) {
  for (const element of frame.querySelectorAll('[data-style]')) {
    element.style.cssText = element.dataset.style
    element.removeAttribute('data-style')
  }
  // Nothing answers a press before the scripts are there; links lead on all the same.
  for (const button of frame.querySelectorAll('button')) button.inert = true
  const user = readKept('user') ?? {}
  const dismissed = readKept('banners') ?? []
  for (const banner of frame.querySelectorAll('[data-banner]')) {
    if (dismissed.includes(banner.dataset.banner)) banner.remove()
  }
  const newest = frame.querySelector('[data-banner]')
  if (newest !== null) newest.hidden = false
  const steps = frame.querySelector('[data-first-steps]')
  if (steps === null) return
  if (localStorage.getItem(`presale.firstSteps.${user.id}`) !== null) return steps.remove()
  // What is done is shown by the scripts; until then its room is kept, which is less on a phone.
  const done = { email: user.is_email_verified, purchase: user.paid_amount_fiat > 0 }
  for (const step of steps.querySelectorAll('[data-step]')) {
    if (!done[step.dataset.step]) continue
    steps.style.visibility = 'hidden'
    const [, text, action] = step.lastElementChild?.children ?? []
    if (action === undefined) continue
    text.classList.add('max-lg:hidden')
    action.className = 'mt-auto text-14 lg:min-h-9'
    if (action.textContent !== '\u00a0') action.textContent = '\u00a0'
  }
  for (const text of steps.querySelectorAll('p')) {
    if (text.textContent.includes('{email}'))
      text.textContent = text.textContent.replace('{email}', user.email)
  }
}
function readKept(name) {
  try {
    return JSON.parse(localStorage.getItem(`presale.${name}`).replace(/^string:/, ''))
  } catch {
    return null
  }
}
// The theme can be switched before the page can answer; from then on lib/theme.ts does it.
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
