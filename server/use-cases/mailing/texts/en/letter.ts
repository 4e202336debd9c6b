/** What every mail has around its content. */
export const letter = {
  presale: (project: string) => `${project} presale`,
  soldBy: (seller: string) => `Sold by ${seller}`,
  neverAsk:
    'We never ask for your password or for a payment to an address that is not shown on our site.',
  sandbox: 'This is a sandbox: payments, prices and this mail are simulated.',
  orOpen: 'Or open this address:',
  /** Around the address to write to; `number` is a purchase's. */
  questions: (number: string | null) =>
    number === null
      ? { before: 'Questions? Write to ', after: '.', subject: 'A question' }
      : {
          before: 'Questions? Write to ',
          after: ` and name purchase ${number}.`,
          subject: `Purchase ${number}`,
        },
}
