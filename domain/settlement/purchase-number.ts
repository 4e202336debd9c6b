/**
 * What people call a purchase by, such as `3F9A-12BC`: the first eight digits of its id, which are
 * random. It names a purchase among one buyer's, and is no key.
 */
export function purchaseNumber(purchaseId: string): string {
  const digits = purchaseId.replaceAll('-', '').slice(0, 8).toUpperCase()
  return `${digits.slice(0, 4)}-${digits.slice(4)}`
}
