import type { LegalProject, LegalSection } from '#web/messages/en/legal.ts'
import type { Texts } from '#web/messages/texts.ts'

const termsSections = (project: LegalProject): LegalSection[] => [
  {
    title: 'Wofür diese Bedingungen gelten',
    paragraphs: [
      `Diese Bedingungen gelten für ${project.frontend_url}, wo ${project.name} seinen Token ${project.symbol} verkauft, bevor er gehandelt wird. Mit dem Anlegen eines Kontos nehmen Sie sie an.`,
      'Sie dürfen nur teilnehmen, wenn Sie volljährig sind und der Kauf solcher Token an Ihrem Wohnort erlaubt ist. Das für Sie geltende Recht zu kennen, liegt in Ihrer Verantwortung.',
    ],
  },
  {
    title: 'Ihr Konto',
    paragraphs: [
      'Machen Sie richtige Angaben und behalten Sie Ihr Passwort für sich. Was geschieht, während Sie angemeldet sind, gilt als von Ihnen getan.',
      'Wenn Sie vermuten, dass jemand anderes Ihr Passwort kennt, ändern Sie es und beenden Sie Ihre anderen Sitzungen auf der Kontoseite. Auch wir dürfen Ihre Sitzungen beenden und ein neues Passwort verlangen.',
    ],
  },
  {
    title: 'Kauf von Token',
    paragraphs: [
      'Jede Phase des Presales hat ihren eigenen Preis, ihr eigenes Angebot und ihr eigenes Ende. Preis, Boni und Zahlbetrag stehen für einen Kauf fest, sobald Sie ihn anlegen, und gelten, bis die daneben angezeigte Zeit abgelaufen ist.',
      'Senden Sie genau den angezeigten Betrag im angezeigten Token über das angezeigte Netzwerk an die angezeigte Adresse. Was über ein anderes Netzwerk oder in einem anderen Token gesendet wird, kann endgültig verloren sein. Was zu spät eingeht oder zu wenig ist, wird so behandelt, wie es beim Kauf angezeigt wird.',
      'Token werden gutgeschrieben, sobald die Zahlung die Bestätigungen hat, die ihr Netzwerk benötigt. Zahlungen in einer Kryptowährung können nicht zurückgerufen werden.',
    ],
  },
  {
    title: 'Keine Beratung, kein Versprechen',
    paragraphs: [
      'Nichts auf dieser Website ist eine Anlageberatung. Der Wert eines Tokens kann auf null fallen. Geben Sie nur aus, was Sie verlieren können.',
      'Es wird kein Ertrag versprochen, und niemand ist befugt, in unserem Namen einen zu versprechen.',
    ],
  },
  {
    title: 'Empfehlungen',
    paragraphs: [
      'Die Prämie für eine Empfehlung wird einmal gutgeschrieben, sobald die Käufe der geworbenen Person den angezeigten Betrag erreichen. Sie wird zurückgenommen, wenn diese Käufe rückgängig gemacht werden. Wer sich selbst wirbt, erhält nichts.',
    ],
  },
  {
    title: 'Änderungen und Fragen',
    paragraphs: [
      'Wir dürfen diese Bedingungen für die Zukunft ändern. Für einen Kauf gelten weiter die Bedingungen, unter denen er angelegt wurde.',
      `Fragen dazu: ${contactOf(project)}.`,
    ],
  },
]

const receivingWallets: LegalSection = {
  title: 'Ihre Empfangs-Wallet',
  paragraphs: [
    'Wenn Sie eine Wallet für Ihre Token angeben, speichern wir deren Adresse, wann Sie sie angegeben haben und, falls die Wallet dafür signiert hat, die Nachricht und ihre Signatur. Ersetzte Wallets bewahren wir auf, damit niemand Ihre Token umleiten kann, ohne eine Spur zu hinterlassen.',
    'Um die Token auszugeben, werden Wallets und Beträge ohne Namen in eine Liste geschrieben. Der Dienst, der sie ausgibt, kann diese Liste veröffentlichen. Was Sie abholen oder was Ihnen gesendet wird, steht auf einer öffentlichen Blockchain: Dort kann jeder die Wallet und den Betrag lesen, und zwar für immer, und niemand kann es löschen. Soll niemand wissen, dass eine Wallet Ihnen gehört, geben Sie eine an, die Sie für nichts anderes verwendet haben.',
  ],
}

const privacySections = (project: LegalProject): LegalSection[] => [
  {
    title: 'Wer verantwortlich ist',
    paragraphs: [
      `${controllerOf(project)} entscheidet, was mit den personenbezogenen Daten geschieht, die auf ${project.frontend_url} erhoben werden, und ist Verantwortlicher im Sinne der Datenschutz-Grundverordnung (DSGVO).`,
      `Fragen und Anträge: ${contactOf(project)}.`,
    ],
  },
  {
    title: 'Was wir erheben',
    paragraphs: [
      'Kontodaten: Ihre E-Mail-Adresse und Ihr Passwort, das nur als nicht umkehrbarer Hashwert gespeichert wird; Ihr Vor- und Nachname, Ihre Staatsangehörigkeit und, falls Sie sie angeben, Ihre Telefonnummer; die Sprache, in der wir Ihnen schreiben; wer Sie geworben hat, falls Sie über einen Empfehlungslink gekommen sind.',
      'Freiwillige Zwei-Faktor-Anmeldung: wenn Sie eine Authenticator-App einrichten, den mit ihr geteilten Schlüssel in verschlüsselter Form und Hashwerte Ihrer Wiederherstellungscodes.',
      'Nutzungsdaten: für jede Sitzung den Zeitpunkt des Zugriffs, Ihr Gerät, Betriebssystem und Ihren Browser, wie der Browser sie nennt, und Ihre IP-Adresse. Die offenen finden Sie auf der Kontoseite unter „Wo Sie angemeldet sind“, und alle in der Datei mit Ihren Daten, die Sie dort herunterladen.',
      'Käufe: was Sie wann und in welchem Token gekauft haben, an welche Adresse und durch welche Überweisungen gezahlt wurde. Zahlungen auf einer öffentlichen Blockchain kann jeder lesen, und zwar für immer.',
    ],
  },
  ...(project.delivery === null ? [] : [receivingWallets]),
  {
    title: 'Erstattungen',
    paragraphs: [
      'Wenn Sie eine Erstattung beantragen, speichern wir die Adresse, an die sie gehen soll, den Betrag und die Transaktion, die sie auszahlt. Diese Transaktion steht auf einer öffentlichen Blockchain, wo sie jeder lesen kann, und zwar für immer.',
    ],
  },
  {
    title: 'Die Stichtagsliste und ihr Nachweis',
    paragraphs: [
      'Wenn der Verkauf vorbei ist, wird zu einem Stichtag gespeichert, wem wie viele Token gehören. Diese Liste wird nie geändert: Eine Berichtigung ist eine neue Liste.',
      `Unter ${project.frontend_url}/proof kann jeder den Tag jeder Liste lesen, die Summe ihrer Token, die Zahl ihrer Käufe und Prämien und ihre Wurzel, eine Art Fingerabdruck. Wer wie viel gekauft hat, lässt sich daraus nicht ablesen. Den Nachweis Ihres Kaufs bekommen nur Sie; wem Sie ihn geben, der sieht, was Sie gekauft haben.`,
    ],
  },
  {
    title: 'Wofür wir es verwenden',
    paragraphs: [
      'Um Ihr Konto und Ihre Käufe zu führen, Gekauftes auszuliefern oder zu erstatten und Ihnen dazu E-Mails zu senden (Vertragserfüllung), um Konten und Zahlungen vor Missbrauch zu schützen (berechtigtes Interesse) und um gesetzliche Pflichten wie die Buchführung zu erfüllen.',
      'Wir verkaufen Ihre Daten nicht, zeigen keine Werbung und messen nichts von dem, was Sie hier tun: keine Analyse, keine Tracker, keine Schriften oder Skripte anderer Websites.',
    ],
  },
  {
    title: 'Cookies und lokaler Speicher',
    paragraphs: [
      'Wir setzen ein einziges Cookie, und nur wenn Sie eine andere Sprache als Englisch wählen: Es nennt diese Sprache, damit die Seiten gleich in ihr bei Ihnen ankommen. Sie müssen in nichts einwilligen. Wie viele Seiten wir ausliefern, wird gezählt: eine Zahl am Tag, ohne irgendetwas darüber, wer sie aufgerufen hat.',
      'Was sich die Website merken muss, liegt im Speicher Ihres Browsers: dass Sie angemeldet sind, die Schlüssel dieser Sitzung, Ihre zuletzt gesehenen Kontodaten, die ausgeblendeten Hinweise sowie Farbschema und Sprache, die Sie gewählt haben. Mit dem Abmelden wird alles entfernt bis auf die letzten beiden, die keine personenbezogenen Daten sind. Zweierlei bleibt außerdem: dass Sie die ersten Schritte ausgeblendet haben, unter der Nummer Ihres Kontos, und, damit keine Zahlung zweimal gesendet wird, die letzten zwanzig, die Sie mit einer Wallet in diesem Browser gesendet haben, jede mit ihrem Kauf und ihrer Transaktion. Bis Sie den Tab schließen, merkt sich die Website außerdem, wessen Empfehlungslink Sie gefolgt sind und wann Sie die nächste E-Mail anfordern können.',
    ],
  },
  {
    title: 'Wer es noch erhält',
    paragraphs: [
      ...processorsOf(project),
      'Links zu anderen Websites und die Schaltflächen zum Teilen auf der Seite der Empfehlungen senden nichts, bevor Sie ihnen folgen.',
    ],
  },
  {
    title: 'Wie lange wir es aufbewahren',
    paragraphs: [
      'Kontodaten werden aufbewahrt, solange Sie ein Konto haben. Beendete Sitzungen mit ihren IP-Adressen werden nach 30 Tagen gelöscht. Damit wir Ihnen eine Anmeldung von einem neuen Ort melden können, wird ein Hashwert der Art des Geräts und des Netzes, von denen Sie sich anmelden, bis zu 180 Tage nach der letzten Anmeldung von dort aufbewahrt. Damit niemand Token reserviert, ohne zu bezahlen, wird zu jedem Kauf ein Hashwert des Netzes, aus dem Sie kaufen, aufbewahrt, bis der Kauf bezahlt oder vorbei ist.',
      'Wenn Ihr Konto gelöscht wird, werden Ihre persönlichen Angaben sofort ersetzt und Ihre Sitzungen und der Schlüssel der Zwei-Faktor-Anmeldung sofort entfernt. Ihre E-Mail-Adresse wird aufbewahrt, bis die letzten E-Mails an sie gesendet sind, höchstens 30 Tage. Die Aufzeichnungen der Käufe bleiben ohne Ihren Namen bestehen, weil Bücher geführt werden müssen. Ihre Empfangs-Wallet, die Adresse einer Erstattung und was in einer Stichtagsliste steht, bleiben mit ihnen erhalten: Die Token und die Erstattung gehören weiterhin Ihnen.',
    ],
  },
  {
    title: 'Ihre Rechte',
    paragraphs: [
      'Nach der DSGVO können Sie eine Kopie Ihrer Daten erhalten, sie berichtigen oder löschen lassen, ihre Verwendung einschränken lassen oder ihr widersprechen, sie mitnehmen und sich bei einer Aufsichtsbehörde beschweren.',
      'Drei dieser Rechte können Sie jederzeit selbst auf der Kontoseite ausüben: Ihr Profil berichtigen, alles über Sie Gespeicherte herunterladen und Ihr Konto löschen. Zu Ihrem Schutz lässt es sich zwei Tage lang nicht löschen, nachdem Sie eine Wallet festgelegt haben, und einen Tag lang nicht, nachdem Sie eine Erstattung beantragt haben. Beide Fristen beginnen mit unserer E-Mail dazu, und keine dauert länger als 30 Tage.',
    ],
  },
]

function controllerOf({ name, seller }: LegalProject): string {
  return seller === null ? name : `${seller.name}, ${seller.place}, der Verkäufer von ${name},`
}

function contactOf({ contact_email, main_site_url }: LegalProject): string {
  return contact_email ?? main_site_url
}

/** What the operator says about a company is in the operator's language. */
function processorsOf(project: LegalProject): string[] {
  const rails = new Set(
    project.payment_tokens.flatMap((token) => Object.keys(token.payment_provider_ids).slice(0, 1)),
  )
  const named = project.processors.map(({ name, purpose }) => `${name} ${purpose}.`)
  if (rails.has('nowpayments')) {
    named.push(
      'NOWPayments nimmt Zahlungen für uns entgegen. Es erfährt den Betrag, den Token und eine Nummer des Kaufs, nicht aber, wer Sie sind.',
    )
  }
  if (project.is_sandbox) {
    named.push(
      'Dies ist eine Testumgebung: Keine Zahlung verlässt sie. E-Mails zeigt sie allen auf der Seite /sandbox; ist ein Mailserver eingerichtet, versendet sie sie stattdessen. Niemand sonst erhält Ihre Daten.',
    )
  }
  return named.length > 0
    ? named
    : [
        'Niemand: Diese Website und ihre E-Mails betreiben wir selbst, und kein anderes Unternehmen verarbeitet Ihre Daten für uns.',
      ]
}

export const legal: Texts['legal'] = {
  version: (day) => `Fassung vom ${day}`,
  termsSections,
  privacySections,
  licences: 'Lizenzen der verwendeten Software',
  failed: 'Der Text konnte nicht geladen werden',
}
