export { type PageLanguage, pageLanguages } from '#domain/language.ts'
