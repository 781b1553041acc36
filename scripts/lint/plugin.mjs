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

export default {
  meta: { name: 'project' },
  rules: { imports: importRule, 'restricted-syntax': syntaxRule },
}
