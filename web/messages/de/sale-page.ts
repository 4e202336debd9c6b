import type { Texts } from '#web/messages/texts.ts'

export const salePage: Texts['salePage'] = {
  title: 'Info',
  fallback: (name, symbol) => [
    {
      title: 'So funktioniert es',
      paragraphs: [
        `${name} verkauft ${symbol}, bevor der Token gehandelt wird, in Phasen mit je eigenem Preis und eigenem Angebot.`,
      ],
    },
    {
      title: 'So kaufen Sie',
      paragraphs: [
        'Legen Sie ein Konto an, wählen Sie einen Betrag und die Kryptowährung, in der Sie zahlen, und senden Sie die Zahlung an die angezeigte Adresse.',
      ],
    },
    {
      title: 'Was Sie erhalten',
      paragraphs: [
        `${symbol} zum Preis im Moment des Kaufs, mit allen Boni, die Ihnen vor dem Bezahlen angezeigt werden. Ihr Guthaben steht in der Übersicht.`,
      ],
    },
  ],
  register: 'Konto erstellen',
  login: 'Anmelden',
  failed: 'Die Seite konnte nicht geladen werden',
  buy: (symbol) => `${symbol} kaufen`,
  dashboard: 'Zu Ihrer Übersicht',
  howPriceIsSet: 'Wie der Preis entsteht',
  endedText: 'Es kann nichts mehr gekauft werden.',
  ladder: {
    title: 'Der ganze Verkauf in einem Bild',
    intro: (symbol) =>
      `Jede Phase hat ihre eigene Menge und ihren eigenen Preis in Dollar. Eine schräge Stufe wird mit jedem verkauften ${symbol} teurer oder billiger; von der Zeit hängt das nicht ab.`,
  },
  buying: {
    title: 'So kaufen Sie',
    steps: (symbol) => [
      {
        title: 'Konto erstellen',
        text: 'Mit Ihrem Namen, Ihrer E-Mail-Adresse und Ihrer Staatsangehörigkeit. Es kostet nichts.',
      },
      {
        title: 'Währung und Betrag wählen',
        text: 'Der Preis, jeder Bonus und die Summe stehen da, bevor Sie sich entscheiden.',
      },
      {
        title: 'Aus der eigenen Wallet senden',
        text: 'An eine Adresse, die es nur für Ihren Kauf gibt; der Preis wird so lange für Sie gehalten.',
      },
      {
        title: `Ihre ${symbol} in der Übersicht sehen`,
        text: 'Sobald das Netzwerk die Zahlung bestätigt hat, meist nach wenigen Minuten.',
      },
    ],
  },
  supply: {
    title: 'Wie die Token verteilt sind',
    label: 'Für',
    share: 'Anteil an der Gesamtmenge',
    percent: (figure) => `${figure}\u00A0%`,
  },
  proof: 'Nachweis ansehen',
  release: {
    title: 'Wann die Token freigegeben werden',
    example: (tokens, symbol) => `Ein Beispiel für ${tokens} ${symbol}:`,
  },
  facts: 'Der Presale in Zahlen',
  seller: {
    title: 'Wer verkauft',
    name: 'Verkäufer',
    place: 'Ort',
    registration: 'Registernummer',
    contract: (symbol) => `Smart Contract von ${symbol}`,
    notDeployed: 'Noch nicht veröffentlicht',
    explorer: 'Im Explorer ansehen',
    questions: 'Fragen',
  },
  papers: { title: 'Unterlagen', dated: (date) => `Fassung vom ${date}` },
  questions: 'Fragen und Antworten',
  risks: 'Risiken in zwei Minuten',
}
