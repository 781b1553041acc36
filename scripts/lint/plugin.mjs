/** The project's own lint rules. */
import { importRule } from './importRules.mjs'

/** Reports each match of a selector, as ESLint's no-restricted-syntax does, which Oxlint lacks. */
const syntaxRule = {
  meta: { type: 'problem', schema: { type: 'array' } },
  create: (context) =>
    Object.fromEntries(
      context.options.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
}

/** Fields and items that only a spread keeps on one line are found by no search. */
const literalSpreadRule = {
  meta: { type: 'problem' },
  create: (context) => ({
    SpreadElement(node) {
      if (/^(Array|Object)Expression$/.test(node.argument.type))
        context.report({ node, message: 'Write what is spread in place: it has its fields or items already.' })
    },
  }),
}

export default {
  meta: { name: 'project' },
  rules: { imports: importRule, 'literal-spread': literalSpreadRule, 'restricted-syntax': syntaxRule },
}
