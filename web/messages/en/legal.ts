import type { Project } from '#contract/shapes.ts'

export interface LegalSection {
  title: string
  paragraphs: string[]
}

/** What these texts name of a project. */
export type LegalProject = Pick<
  Project,
  | 'name'
  | 'seller'
  | 'symbol'
  | 'frontend_url'
  | 'main_site_url'
  | 'contact_email'
  | 'processors'
  | 'payment_tokens'
  | 'delivery'
  | 'is_sandbox'
>

const termsSections = (project: LegalProject): LegalSection[] => [
  {
    title: 'What these terms cover',
    paragraphs: [
      `These terms apply to ${project.frontend_url}, where ${project.name} sells its token, ${project.symbol}, before the token is traded. By creating an account you accept them.`,
      'You may only take part if you are of legal age and if buying such tokens is allowed where you live. You are responsible for knowing the law that applies to you.',
    ],
  },
  {
    title: 'Your account',
    paragraphs: [
      'Give correct details and keep your password to yourself. Whatever is done while you are logged in counts as done by you.',
      'If you think that somebody else knows your password, change it and end your other sessions on the account page. We may also end your sessions and ask you for a new password.',
    ],
  },
  {
    title: 'Buying tokens',
    paragraphs: [
      'Each stage of the presale has its own price, supply and end. The price, the bonuses and the amount due are fixed for a purchase when you make it, and stay so until the time shown beside it runs out.',
      'Send exactly the amount shown, in the token shown, on the network shown, to the address shown. What is sent on another network or in another token may be lost for good. What arrives too late or is too little is handled as shown with the purchase.',
      'Tokens are credited once the payment has the confirmations that its network needs. Payments in a cryptocurrency cannot be reversed.',
    ],
  },
  {
    title: 'No advice, no promise',
    paragraphs: [
      'Nothing on this site is financial advice. The value of a token can fall to nothing. Only spend what you can afford to lose.',
      'No return is promised, and nobody is authorised to promise one in our name.',
    ],
  },
  {
    title: 'Referrals',
    paragraphs: [
      'A reward for a referral is credited once, when the purchases of the person you invited reach the amount shown. It is taken back if those purchases are undone. Inviting yourself earns nothing.',
    ],
  },
  {
    title: 'Changes and questions',
    paragraphs: [
      'We may change these terms for the future. A purchase keeps the terms under which it was made.',
      `Questions about them: ${contactOf(project)}.`,
    ],
  },
]

const receivingWallets: LegalSection = {
  title: 'Your receiving wallet',
  paragraphs: [
    'If you name a wallet for your tokens, we store its address, when you named it and, where the wallet signed for it, the message and its signature. Wallets that you replaced are kept, so that nobody can redirect your tokens without a trace.',
    'To hand the tokens out, wallets and amounts are put into a list, without names. The tool that hands them out may publish that list. What you claim or are sent is on a public blockchain, where everybody can read the wallet and the amount, for ever, and where nobody can erase it. If nobody is to know that a wallet is yours, name one that you have used for nothing else.',
  ],
}

const privacySections = (project: LegalProject): LegalSection[] => [
  {
    title: 'Who is responsible',
    paragraphs: [
      `${controllerOf(project)} decides what happens to the personal data collected on ${project.frontend_url}, and is the controller under the General Data Protection Regulation (GDPR).`,
      `Questions and requests: ${contactOf(project)}.`,
    ],
  },
  {
    title: 'What we collect',
    paragraphs: [
      'Account data: your email and your password, which is stored only as a hash that cannot be reversed; your first and last name, your nationality and, if you give it, your phone number; the language in which we write to you; who invited you, if you came through a referral link.',
      'Optional two-factor login: if you set up an authenticator app, the secret that it shares with us, encrypted, and hashes of your recovery codes.',
      'Usage data: for each session the time of access, your device, operating system and browser as the browser reports them, and your IP address. You can see the open ones on the account page under “Where you are logged in”, and all of them in the download of your data.',
      'Purchases: what you bought, when, in which token, to which address it was paid and by which transfers. Payments on a public blockchain can be read by everybody, for ever.',
    ],
  },
  ...(project.delivery === null ? [] : [receivingWallets]),
  {
    title: 'Refunds',
    paragraphs: [
      'If you claim a refund, we store the address that you want it sent to, the amount, and the transaction that pays it. That transaction is on a public blockchain, where everybody can read it, for ever.',
    ],
  },
  {
    title: 'The snapshot and its proof',
    paragraphs: [
      'When the sale is over, a snapshot is stored of who owns how many tokens. It is never changed: a correction is another snapshot.',
      `At ${project.frontend_url}/proof everybody can read the day of each snapshot, the sum of its tokens, the number of its purchases and rewards, and its root, a kind of fingerprint. Nobody can read from these who bought, or how much. The proof of your own purchase is given to you alone; whoever you pass it to sees what you bought.`,
    ],
  },
  {
    title: 'What we use it for',
    paragraphs: [
      'To run your account and your purchases, to deliver or refund what you bought and to email you about it (performance of a contract), to protect accounts and payments against misuse (legitimate interest), and to meet legal duties such as keeping books.',
      'We do not sell your data, show no advertising, and measure nothing that you do here: no analytics, no trackers, no fonts or scripts from other sites.',
    ],
  },
  {
    title: 'Cookies and local storage',
    paragraphs: [
      'We set one cookie, and only where you choose a language other than English: it says which, so that pages reach you in it. There is nothing to agree to. How many pages we send is counted, as one number a day, without recording who asked for them.',
      'What the site needs to remember is kept in the storage of your browser: that you are logged in, the keys of that session, your account data as last seen, the notices that you dismissed, and the theme and the language that you chose. Logging out removes all of it but the last two, which are not personal data. Two more things stay: the fact that you dismissed the first steps, stored with your account number, and, so that no payment is sent twice, the last twenty that you sent with a wallet in this browser, each with its purchase and its transaction. Until you close its tab, the site also remembers whose referral link you followed, and when you may next ask for an email.',
    ],
  },
  {
    title: 'Who else receives it',
    paragraphs: [
      ...processorsOf(project),
      'Links to other sites, and the share buttons on the referrals page, send nothing before you follow them.',
    ],
  },
  {
    title: 'How long we keep it',
    paragraphs: [
      'Account data is kept while you have an account. Sessions that have ended, with their IP addresses, are deleted after 30 days. So that we can notify you of a login from a new place, a hash of the kind of device and network that you log in from is kept for up to 180 days after the last login from there. So that nobody reserves tokens without paying, a hash of the network that you buy from is kept with each purchase until it is paid or over.',
      'When your account is deleted, your personal fields are replaced and your sessions and two-factor secret are removed at once. Your email address is kept until the last emails to it are sent, at most 30 days. The records of purchases stay, without your name, because books must be kept. Your receiving wallet, the address of a refund and what a snapshot contains stay with them: the tokens and the refund are still yours.',
    ],
  },
  {
    title: 'Your rights',
    paragraphs: [
      'Under the GDPR you may have a copy of your data, have it corrected or erased, restrict or object to its use, take it elsewhere, and complain to a supervisory authority.',
      'Three of these you can use yourself, at any time, on the account page: correct your profile, download everything that is stored about you, and delete your account. For your protection you cannot delete it for two days after you set a wallet, or for one day after you claim a refund. Both periods start with our email about it, and neither lasts longer than 30 days.',
    ],
  },
]

/** A token is no controller: the seller is, if the sale file names one. */
function controllerOf({ name, seller }: LegalProject): string {
  return seller === null ? name : `${seller.name}, ${seller.place}, the seller of ${name},`
}

function contactOf({ contact_email, main_site_url }: LegalProject): string {
  return contact_email ?? main_site_url
}

function processorsOf(project: LegalProject): string[] {
  const rails = new Set(
    project.payment_tokens.flatMap((token) => Object.keys(token.payment_provider_ids).slice(0, 1)),
  )
  const named = project.processors.map(({ name, purpose }) => `${name} ${purpose}.`)
  if (rails.has('nowpayments')) {
    named.push(
      'NOWPayments takes payments for us. It learns the amount, the token and a number of the purchase, not who you are.',
    )
  }
  if (project.is_sandbox) {
    named.push(
      'This is a sandbox: no payment leaves it. Its emails are shown to everybody on the page /sandbox, or sent if a mail server is set up. Nobody else receives your data.',
    )
  }
  return named.length > 0
    ? named
    : [
        'Nobody: this site and its mail are run by us, and no other company handles your data for us.',
      ]
}

/** The long texts of the static pages, loaded only with those pages. */
export const legal = {
  /** The day that the terms and the privacy policy are of. */
  version: (day: string) => `Version of ${day}`,
  termsSections,
  privacySections,
  licences: 'Licences of the software used',
  failed: 'The text could not be loaded',
}
