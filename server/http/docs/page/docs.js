// What a person gets beside the whole page: a search, buttons that copy, and where they are.
// A file of its own, as the content security policy allows no script in the page.
const search = document.getElementById('search')
const found = document.getElementById('found')
const copied = document.getElementById('copied')
const none = document.getElementById('none')
const calls = [...document.querySelectorAll('[data-call]')]
const links = [...document.querySelectorAll('nav a[href^="#"]')]

for (const waiting of document.querySelectorAll('#search, .theme, .copy')) waiting.hidden = false

const wordsOf = new Map(
  calls.map((call) => {
    const parts = call.querySelectorAll('h3, .route, .route + p')
    return [call, [...parts].map((part) => part.textContent.toLowerCase()).join(' ')]
  }),
)

search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (call) => words.every((word) => wordsOf.get(call).includes(word))
  const fitting = new Set(calls.filter(fits).map(({ id }) => id))
  const isAll = words.length === 0
  for (const call of calls) call.hidden = !fitting.has(call.id)
  for (const link of document.querySelectorAll('nav li a, .overview a')) {
    const id = link.hash.slice(1)
    link.parentElement.hidden = !isAll && !fitting.has(id)
  }
  for (const part of document.querySelectorAll('.group, nav > div')) {
    const isLeft = part.querySelector('[data-call]:not([hidden]), li:not([hidden])') !== null
    part.hidden =
      !isAll &&
      (part.matches('.group') ? !part.matches(':has([data-call]:not([hidden]))') : !isLeft)
  }
  none.hidden = isAll || fitting.size > 0
  // What was read may be gone from the page.
  window.scrollTo(0, 0)
  found.textContent = isAll ? '' : `${fitting.size} of ${calls.length} calls`
})

// A slash begins the search, as in many documents; not where somebody types.
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target === search) return
  event.preventDefault()
  search.focus()
})

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copies]')
  if (button !== null) void copy(button, button.closest('figure').querySelector('code').textContent)
  const anchor = event.target.closest('.anchor')
  if (anchor !== null) void copy(anchor, anchor.href)
})

/** Says for a moment at what was pressed that it is copied. */
async function copy(pressed, text) {
  const before = pressed.dataset.text ?? pressed.textContent
  pressed.dataset.text = before
  try {
    await navigator.clipboard.writeText(text)
    pressed.textContent = 'Copied'
    copied.textContent = 'Copied'
  } catch {
    // The address bar has the link, and the text can be selected.
    return
  }
  setTimeout(() => {
    pressed.textContent = before
    copied.textContent = ''
  }, 2000)
}

// Which call is being read.
const inView = new Set()
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) inView.add(target.id)
      else inView.delete(target.id)
    }
    const current = calls.find(({ id }) => inView.has(id))?.id
    for (const link of links) {
      if (link.hash !== `#${current}`) link.removeAttribute('aria-current')
      else if (!link.hasAttribute('aria-current')) showCurrent(link)
    }
  },
  { rootMargin: '-80px 0px -60% 0px' },
)
for (const call of calls) observer.observe(call)

function showCurrent(link) {
  link.setAttribute('aria-current', 'location')
  const side = link.closest('.side')
  if (side === null) return
  const { top, bottom } = link.getBoundingClientRect()
  const box = side.getBoundingClientRect()
  if (top < box.top || bottom > box.bottom) side.scrollTop += top - box.top - box.height / 2
}
