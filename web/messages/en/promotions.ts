export const promotions = {
  heading: 'Promotions',
  alt: (key: string) => `Buy: ${key.replaceAll('-', ' ')}`,
  empty: 'There is no promotion right now',
  emptyText: 'The price of the stage applies to every purchase.',
  emptyAction: 'Buy tokens',
  failed: 'The promotions could not be loaded',
}
