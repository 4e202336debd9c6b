import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** What the pages are made of, with the licence of each: served beside them. */
export const LICENSES_FILE = 'licenses.txt'

const stylePackages = ['@fontsource-variable/archivo', '@fontsource-variable/inter', 'tailwindcss']

/** The builder lists the licences of scripts alone: adds those of the style and its fonts. */
export function styleLicenses(): Plugin {
  return {
    name: 'style-licenses',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const list = bundle[LICENSES_FILE]
        if (list?.type !== 'asset') throw new Error(`The builder has made no ${LICENSES_FILE}.`)
        list.source = [String(list.source), ...stylePackages.map(entryOf)].join('\n')
      },
    },
  }
}

function entryOf(name: string): string {
  const read = (file: string) =>
    readFileSync(new URL(`../../node_modules/${name}/${file}`, import.meta.url), 'utf8')
  const { version, license } = JSON.parse(read('package.json')) as Record<string, string>
  return `## ${name} - ${version} (${license})\n\n${read('LICENSE').trim()}\n`
}
