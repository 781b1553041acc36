/** The lint rule `project/imports`: holds each import against layers.mjs. */
import { builtinModules } from 'node:module'
import { dirname, relative, resolve, sep } from 'node:path'
import { refuseFile, refusePackage } from './layers.mjs'

const isTest = (path) => /\.test\.tsx?$/.test(path)
const isProduct = (path) => /^src-[a-z]+\//.test(path)

/**
 * @param {string} from the importing file, relative to the project, with `/`
 * @param {string} specifier as written in the import
 * @returns {string | undefined} why that import is not allowed; a test may import any package, and what is under test/
 */
export function refusal(from, specifier) {
  const target = projectPath(from, specifier)
  if (target === undefined) return isTest(from) ? undefined : refusePackage(from, packageName(specifier))
  if (isProduct(target)) return refuseFile(from, target)
  return isTest(from) ? undefined : `${target} is not part of the app`
}

/** The imported file relative to the project, or undefined for a package. */
export function projectPath(from, specifier) {
  const [path] = specifier.split('?')
  if (path.startsWith('@shared/')) return `src-shared/${path.slice('@shared/'.length)}`
  if (!path.startsWith('.')) return undefined
  return relative('/', resolve('/', dirname(from), path))
    .split(sep)
    .join('/')
}

function packageName(specifier) {
  if (specifier.startsWith('node:')) return specifier
  if (builtinModules.includes(specifier)) return `node:${specifier}`
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

export const importRule = {
  meta: { type: 'problem', messages: { refused: 'This import crosses a border: {{why}}.' }, schema: [] },
  create(context) {
    const from = relative(context.cwd, context.filename).split(sep).join('/')
    const check = (node, source) => {
      if (typeof source?.value !== 'string') return
      const why = refusal(from, source.value)
      if (why !== undefined) context.report({ node, messageId: 'refused', data: { why } })
    }
    return {
      ImportDeclaration: (node) => check(node, node.source),
      ImportExpression: (node) => check(node, node.source),
      ExportNamedDeclaration: (node) => check(node, node.source),
      ExportAllDeclaration: (node) => check(node, node.source),
      TSImportType: (node) => check(node, node.source),
      'CallExpression[callee.name="require"]': (node) => check(node, node.arguments[0]),
    }
  },
}
