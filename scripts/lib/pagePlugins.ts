/** What makes the page's first picture come sooner: plugins of its build. */
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

const contract = resolve('src-shared/contract')

const isMade = (type: string): boolean => ['CallExpression', 'ObjectExpression', 'NewExpression'].includes(type)

/**
 * Leaves out the contract's schemas that the page does not parse with, and zod where none is left: its data was checked
 * before it came. A contract file's constants are made without side effects, which a bundler cannot see.
 */
export const pureSchemas: Plugin = {
  name: 'pure-schemas',
  transform(code, id) {
    if (!id.startsWith(contract)) return null
    const made = this.parse(code)
      .body.map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
      .flatMap((statement) => (statement?.type === 'VariableDeclaration' ? statement.declarations : []))
      .flatMap(({ init }) => (init && isMade(init.type) ? [init] : []))
    let pure = code
    for (const { start, end } of made.reverse())
      pure = `${pure.slice(0, start)}/* @__PURE__ */ (() => (${pure.slice(start, end)}))()${pure.slice(end)}`
    return { code: pure, map: null }
  },
}

/** The styles stand in the page itself, and the views of a new window are fetched beside the page's script. */
export const firstPicture: Plugin = {
  name: 'first-picture',
  enforce: 'post',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const files = Object.values(bundle)
      const live = files.find((file) => file.type === 'chunk' && file.name === 'live')
      const styles = files.find((file) => file.fileName.endsWith('.css'))
      if (!live || styles?.type !== 'asset') throw new Error('The build made no chunk of the live views, or no styles.')
      // oxlint-disable-next-line typescript/no-dynamic-delete -- how a bundle loses a file
      delete bundle[styles.fileName]
      const preload = `<link rel="modulepreload" crossorigin href="./${live.fileName}" />`
      const style = `<style nonce="__CSP_NONCE__">${styles.source.toString()}</style>`
      return html.replace(/\s*<link rel="stylesheet"[^>]*>/, '').replace('</head>', () => `${preload}${style}</head>`)
    },
  },
}
