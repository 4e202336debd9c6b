interface PageTitleProps {
  page: string
  site: string
}

/** Sets the document's title to '{page} · {site title}' (specification section 2). */
export function PageTitle({ page, site }: PageTitleProps) {
  return <title>{`${page} · ${site}`}</title>
}
