import type { MailTexts } from '#server/use-cases/mailing/texts/english.ts'

export const receipt: MailTexts['receipt'] = {
  labels: {
    seller: 'Verkäufer',
    buyer: 'Käufer',
    number: 'Kauf',
    date: 'Datum',
    timeToPay: 'Frist',
    amount: 'Betrag',
    network: 'Netzwerk',
    youGet: 'Sie erhalten',
    paid: 'Bezahlt',
    usd: 'In Dollar',
    price: 'Tokenpreis',
    averagePrice: 'Durchschnittlicher Tokenpreis',
    base: 'Token',
    total: 'Gesamt',
    address: 'Adresse',
    transaction: 'Transaktion',
    terms: 'Bedingungen',
  },
  bonuses: {
    base_bonus: 'Phasenbonus',
    spending_bonus: 'Bonus auf den Kaufbetrag in $',
    limited_time_bonus: 'Zeitlich begrenzter Bonus',
    limited_time_signup_bonus: 'Bonus zur Registrierung',
    first_purchase_bonus: 'Bonus auf den ersten Kauf',
    tiered_fiat_bonus: 'Bonus auf den Zahlungstoken',
  },
  toCopy: 'Zum Kopieren',
  registered: (registration) => `eingetragen unter ${registration}`,
  termsOf: (day) => `Fassung vom ${day}`,
  release: ({ first, months, start }) => {
    const at = start === null ? 'zum Start, dessen Tag noch nicht feststeht' : `am ${start}`
    if (months === 0) return `Ihre Token werden ${at} freigegeben.`
    const rest = `der Rest in ${months} gleichen Teilen, jeweils zum Monatsende`
    return months === 1
      ? `Ihre Token werden in zwei Teilen freigegeben: ${first} % ${at}, der Rest zum Monatsende.`
      : `Ihre Token werden über ${months} Monate freigegeben: ${first} % ${at}, ${rest}.`
  },
}
