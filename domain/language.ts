/** The languages of pages and mails; a visitor reads the first until one is chosen. */
export const pageLanguages = ['en', 'de'] as const
export type PageLanguage = (typeof pageLanguages)[number]
