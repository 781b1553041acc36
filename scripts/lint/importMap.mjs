/**
 * `npm run map`: prints which folder imports which, as the sources do it, and writes it into importMap.md beside it. Ends
 * with an error where files import each other in a circle, type imports included.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../lib/process.mjs'
import { projectPath } from './importRules.mjs'
import { layerOf } from './layers.mjs'

const page = join(import.meta.dirname, 'importMap.md')
const [begin, end] = ['<!-- map: made by `npm run map` -->', '<!-- end of map -->']

/** @returns {Map<string, string[]>} for each product file, without tests, the project's files that it imports */
export function readImports() {
  const files = globSync('src-*/**/*.{ts,tsx}', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('.test.'))
    .sort()
  const known = new Set(files)
  const resolveImport = (from, specifier) => {
    const path = projectPath(from, specifier)
    return ['', '.ts', '.tsx', '/index.ts'].map((ending) => `${path}${ending}`).find((file) => known.has(file))
  }
  return new Map(
    files.map((from) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(join(root, from), 'utf8'), true, true)
      return [from, importedFiles.flatMap(({ fileName }) => resolveImport(from, fileName) ?? [])]
    }),
  )
}

/** @returns {string[][]} each circle once, as the files along it */
export function findCircles(imports) {
  const circles = []
  const finished = new Set()
  const path = []
  const visit = (file) => {
    if (finished.has(file)) return
    const at = path.indexOf(file)
    if (at !== -1) {
      circles.push(path.slice(at))
      return
    }
    path.push(file)
    for (const imported of imports.get(file) ?? []) visit(imported)
    path.pop()
    finished.add(file)
  }
  for (const file of imports.keys()) visit(file)
  return circles
}

/** @returns {string} a line for each folder: the folders that it imports; drivers, formats and views each under one name */
export function formatMap(imports) {
  const edges = new Map()
  for (const [from, targets] of imports) {
    const importer = roomOf(from)
    const imported = edges.get(importer) ?? new Set()
    for (const target of targets) imported.add(roomOf(target))
    edges.set(importer, imported.difference(new Set([importer])))
  }
  const width = Math.max(...[...edges.keys()].map(({ length }) => length))
  return [...edges]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([room, imported]) => `${room.padEnd(width)}  -> ${[...imported].sort().join(', ') || 'nothing'}`)
    .join('\n')
}

const roomOf = (file) =>
  layerOf(file)
    .replace(/^(src-main\/machine|src-renderer\/views)\/.+/, '$1/*')
    .replace(/^src-main\/formats\/(?!text|edit).+/, 'src-main/formats/*')

/** The part of the page that this script writes. */
export const mapIn = (text) =>
  text
    .slice(text.indexOf(begin) + begin.length, text.indexOf(end))
    .replaceAll('```', '')
    .trim()

const withMap = (text, map) =>
  `${text.slice(0, text.indexOf(begin) + begin.length)}\n\n\`\`\`\n${map}\n\`\`\`\n\n${text.slice(text.indexOf(end))}`

export const readPage = () => readFileSync(page, 'utf8')

if (process.argv[1] === import.meta.filename) {
  const imports = readImports()
  const map = formatMap(imports)
  process.stdout.write(`${map}\n`)
  for (const circle of findCircles(imports))
    process.stdout.write(`\nA circle: ${[...circle, circle[0]].join(' -> ')}\n`)
  writeFileSync(page, withMap(readPage(), map))
  process.exitCode = findCircles(imports).length > 0 ? 1 : 0
}
