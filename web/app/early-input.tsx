import { useEffect, useLayoutEffect } from 'react'

let isTakenOver = false

/**
 * Passes to React whatever a person or autofill entered before its scripts ran: once, when the page
 * that the server rendered is hydrated. It must come before any other render, which would reset the
 * fields.
 */
export function EarlyInput() {
  useLayoutEffect(() => {
    if (isTakenOver) return
    for (const input of document.querySelectorAll('input')) reportInput(input)
    for (const select of document.querySelectorAll('select')) reportChoice(select)
  }, [])
  useEffect(() => {
    if (isTakenOver) return
    isTakenOver = true
    const form = document.querySelector<HTMLFormElement>('form[data-sent-early]')
    // By then the form has taken over the values.
    queueMicrotask(() => form?.requestSubmit())
  }, [])
  return null
}

function reportInput(input: HTMLInputElement) {
  if (input.type === 'checkbox') {
    if (input.checked === input.defaultChecked) return
    input.checked = input.defaultChecked
    input.click()
    return
  }
  const { value, selectionStart, selectionEnd } = input
  if (value === input.defaultValue) return
  // React notices a value only if it differs from the one that its own setter last received.
  input.value = input.defaultValue
  nativeValue?.set?.call(input, value)
  if (selectionStart !== null) input.setSelectionRange(selectionStart, selectionEnd)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

function reportChoice(select: HTMLSelectElement) {
  if (isChosen(select)) report(select)
}

/**
 * What was chosen of a page that is not hydrated but replaced: the language, as all else in it
 * waits for the scripts. Returns what to do once the page is replaced.
 */
export function keepEarlyLanguage(): () => void {
  const served = languageSelect()
  return () => {
    const select = languageSelect()
    if (served === null || select === null || !isChosen(served)) return
    select.value = served.value
    report(select)
  }
}

const languageSelect = () => document.querySelector<HTMLSelectElement>('footer select')

function isChosen(select: HTMLSelectElement): boolean {
  return [...select.options].some(({ defaultSelected, selected }) => defaultSelected && !selected)
}

function report(select: HTMLSelectElement) {
  select.dispatchEvent(new Event('change', { bubbles: true }))
}

const nativeValue =
  typeof document === 'undefined'
    ? undefined
    : Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
