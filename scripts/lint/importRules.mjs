/** Who may import whom: the borders between the folders, as a lint rule. `project/imports` in eslint.config.js. */
import { builtinModules } from 'node:module'
import { dirname, relative, resolve, sep } from 'node:path'

/**
 * The areas of the tree, the most specific first. `may` lists the areas that an area's files may import beside their own;
 * `packages` what they may import from outside the project: `node` for Node's own modules, `electron`, `others` for the rest
 * of npm, or a package by name. An area whose parts stand `apart` is divided by folder: its parts do not import each other.
 */
const areas = [
  { name: 'shared', at: /^src-shared\//, may: [], packages: ['zod'] },
  { name: 'page', at: /^src-renderer\//, may: ['shared'], packages: ['others'] },
  { name: 'preload', at: /^src-preload\//, may: ['shared'], packages: ['electron'] },
  {
    name: 'electron',
    at: /^src-main\/(main\.ts$|electron\/)/,
    may: ['shared', 'bridge', 'machine', 'driver'],
    packages: ['node', 'electron', 'others'],
  },
  {
    name: 'driver',
    at: /^src-main\/machine\/(?!bytestream\/)([^/]+)\//,
    may: ['shared', 'bridge', 'machine'],
    packages: ['node', 'others'],
    apart: true,
  },
  { name: 'machine', at: /^src-main\/machine\//, may: ['shared', 'bridge', 'driver'], packages: ['node', 'others'] },
  { name: 'tasks', at: /^src-main\/tasks\//, may: ['shared', 'bridge', 'machine'], packages: ['node', 'others'] },
  {
    name: 'format',
    at: /^src-main\/orchestration\/(metashell|ncrew|maestro|tuning)\//,
    may: ['shared', 'bridge', 'orchestration'],
    packages: ['node', 'others'],
    apart: true,
  },
  {
    name: 'orchestration',
    at: /^src-main\/orchestration\//,
    may: ['shared', 'bridge', 'format'],
    packages: ['node', 'others'],
  },
  {
    name: 'bridge',
    at: /^src-main\//,
    may: ['shared', 'machine', 'driver', 'tasks', 'orchestration', 'format'],
    packages: ['node', 'others'],
  },
]

const explanations = {
  shared: 'src-shared is for both sides: it imports neither Node nor the DOM nor Electron',
  page: 'the page imports src-shared and its own files',
  preload: 'the preload imports src-shared and Electron',
  electron: 'Electron’s side talks to tasks and formats through the contract',
  driver: 'drivers do not import each other, nor what stands above them',
  machine: 'src-main/machine does not know what stands above it',
  tasks: 'tasks know machines, not Electron and not orchestrations',
  format: 'formats do not import each other',
  orchestration: 'orchestration knows neither machines nor Electron',
  bridge: 'the bridge process runs without Electron',
}

function areaOf(path) {
  for (const area of areas) {
    const match = area.at.exec(path)
    if (match) return { ...area, part: area.apart ? match[1] : undefined }
  }
  return undefined
}

const isTest = (path) => /\.test\.tsx?$/.test(path)

/**
 * @param {string} from the importing file, relative to the project, with `/`
 * @param {string} specifier as written in the import
 * @returns {string | undefined} why that import is not allowed
 */
export function refusal(from, specifier) {
  const area = areaOf(from)
  if (!area) return undefined
  const target = projectPath(from, specifier)
  if (target === undefined)
    return isTest(from) || mayImportPackage(area, specifier) ? undefined : explanations[area.name]
  const other = areaOf(target)
  if (!other) return isTest(from) ? undefined : `files outside src-* are not part of the app`
  if (other.name === area.name) return other.part === area.part ? undefined : explanations[area.name]
  return area.may.includes(other.name) ? undefined : explanations[area.name]
}

/** The imported file relative to the project, or undefined for a package. */
function projectPath(from, specifier) {
  if (specifier.startsWith('@shared/')) return `src-shared/${specifier.slice('@shared/'.length)}`
  if (!specifier.startsWith('.')) return undefined
  return relative('/', resolve('/', dirname(from), specifier))
    .split(sep)
    .join('/')
}

function mayImportPackage({ packages }, specifier) {
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return packages.includes('node')
  if (/^electron(\/|$)/.test(specifier)) return packages.includes('electron')
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  return packages.includes('others') || packages.includes(name)
}

const rule = {
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

export default { rules: { imports: rule } }
