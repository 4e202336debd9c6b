import { expect, test } from 'vitest'
import { findCircle, firstLoadFiles } from './bundle-budget.ts'

const manifest = {
  'index.html': {
    file: 'assets/main.js',
    isEntry: true,
    imports: ['_react.js'],
    dynamicImports: ['screens/login.tsx', 'screens/buy.tsx'],
  },
  '_react.js': { file: 'assets/react.js' },
  '_form.js': { file: 'assets/form.js', imports: ['_react.js'] },
  '_chart.js': { file: 'assets/chart.js' },
  'screens/login.tsx': { file: 'assets/login.js', imports: ['index.html', '_form.js'] },
  'screens/buy.tsx': { file: 'assets/buy.js', imports: ['_chart.js'] },
  'ui/style.css': { file: 'assets/style.css', isEntry: true },
}

test('the first load is the entry, the screen, and all they import statically', () => {
  expect(firstLoadFiles(manifest, 'screens/login.tsx').toSorted()).toEqual([
    'assets/form.js',
    'assets/login.js',
    'assets/main.js',
    'assets/react.js',
  ])
})

test('scripts that import each other are named', () => {
  expect(findCircle(manifest)).toEqual([])
  const merged = { ...manifest, '_react.js': { file: 'assets/react.js', imports: ['_form.js'] } }
  expect(findCircle(merged)).toEqual(['assets/react.js', 'assets/form.js'])
})
