import type { Sale } from './sale.ts'

/** Every English text of a sale that pages show translated if its file has a translation. */
export function translatableTexts({
  project,
  stages,
  promotions,
  banners,
}: Pick<Sale, 'project' | 'stages' | 'promotions' | 'banners'>): ReadonlySet<string> {
  const { links, info, risk } = project
  const texts = [
    project.tagline,
    project.launchNotice,
    ...Object.keys(links.header),
    ...Object.entries(links.footer).flatMap(([group, inIt]) => [group, ...Object.keys(inIt)]),
    ...(info?.facts.flatMap(({ label, value, detail }) => [label, value, detail]) ?? []),
    ...(info?.sections.flatMap(({ title, paragraphs }) => [title, ...paragraphs]) ?? []),
    ...project.papers.map(({ title }) => title),
    ...project.questions.flatMap(({ question, answer }) => [question, answer]),
    ...(risk === null ? [] : [risk.statement, ...risk.summary]),
    ...project.supply.map(({ label }) => label),
    ...stages.map(({ name }) => name),
    ...promotions.flatMap(({ title, detail }) => [title, detail]),
    ...banners.flatMap(({ message, linkLabel }) => [message, linkLabel]),
  ]
  return new Set(texts.filter((text) => text !== null))
}
