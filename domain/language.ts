/** The languages of pages and mails; visitors get the first until they choose one. */
export const pageLanguages = ['en', 'de'] as const
export type PageLanguage = (typeof pageLanguages)[number]
