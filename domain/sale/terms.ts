/**
 * The date of the version of the terms of service and the privacy policy that are shown now, and
 * under which purchases are made. tests/house/terms.test.ts notices if a text changes without it.
 */
export const TERMS_DATE = '2026-12-01'
