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
  release: {
    once: ({ date, months }) =>
      `Ihre Token werden ${date === null ? afterLaunch(months) : `am ${date}`} freigegeben, alle auf einmal.`,
    parts: (count) => `Ihre Token werden in ${count} Teilen freigegeben:`,
    noDay: 'Der Tag des Starts steht noch nicht fest.',
    when: ({ date, months }) => date ?? (months === 0 ? 'Zum Start' : afterLaunch(months)),
    later: (count, until) => `${count} weitere, der letzte: ${until}`,
  },
}

function afterLaunch(months: number): string {
  if (months === 0) return 'zum Start'
  return months === 1 ? '1 Monat nach dem Start' : `${months} Monate nach dem Start`
}
