/** VitePress over what scripts/site.mjs writes; nothing in the site asks for another address. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig } from 'vitepress'

const out = resolve(import.meta.dirname, '../../../out')

export default defineConfig({
  title: 'Bridgedeck',
  description: 'See into a Commodore 64 while it runs.',
  lang: 'en',
  srcDir: resolve(out, 'site-source'),
  outDir: resolve(out, 'site'),
  cacheDir: resolve(out, 'site-cache'),
  // They are no pages: site.mjs copies them.
  ignoreDeadLinks: [/^\.\/examples\//],
  themeConfig: {
    sidebar: JSON.parse(readFileSync(resolve(out, 'site-source/navigation.json'), 'utf8')),
    outline: [2, 3],
    search: { provider: 'local' },
  },
})
