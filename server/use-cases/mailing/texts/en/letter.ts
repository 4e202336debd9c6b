/** What surrounds the content of every mail. */
export const letter = {
  presale: (project: string) => `${project} presale`,
  soldBy: (seller: string) => `Sold by ${seller}`,
  neverAsk:
    'We never ask for your password or for a payment to an address that is not shown on our site.',
  sandbox: 'This is a sandbox: payments, prices and this email are simulated.',
  orOpen: 'Or open this address:',
  /** Before the address to write to, and between it and a purchase's number. */
  questions: 'Questions? Write to ',
  andName: ' and mention purchase ',
  questionSubject: 'A question',
  purchaseSubject: (number: string) => `Purchase ${number}`,
}
