/**
 * The day of the version of the terms of service and of the privacy policy that are shown now, and
 * under which purchases are made. tests/house/terms.test.ts notices a text that changes without it.
 */
export const TERMS_DATE = '2026-11-24'
