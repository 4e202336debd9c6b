import { useState } from 'react'

/** See `read-mobile.ts`. */
export type ReadMobile = (countryCode: string, text: string) => string | null

interface PhoneFields {
  country_code: string
  phone_number: string
}

async function loadReader(): Promise<ReadMobile> {
  return (await import('./read-mobile.ts')).readMobile
}

/**
 * Loads the check of phone numbers once a field for them has the focus: the world's numbering plans
 * are larger than the form. `readMobile` is null until they are loaded.
 */
export function usePhoneNumbers() {
  const [readMobile, setReader] = useState<ReadMobile | null>(null)
  return {
    readMobile,
    load() {
      if (readMobile !== null) return
      // The server checks what the form cannot.
      loadReader().then(
        (loaded) => setReader(() => loaded),
        () => undefined,
      )
    },
  }
}

/** The number to be stored: undefined where none is given, null if it cannot exist. */
export async function mobileOf(fields: PhoneFields): Promise<string | null | undefined> {
  if (fields.phone_number.trim() === '') return undefined
  return (await loadReader())(fields.country_code, fields.phone_number)
}
