/** Assembles the C64 images of resources/c64 into out/resources/c64: ROMs, character set, demo program, serial stub, practice programs, symbol files. */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import dasmModule from 'dasm'

const dasm = dasmModule.default ?? dasmModule
const root = resolve(import.meta.dirname, '..')

/** dasm's output formats: `prg` begins with the two-byte load address, `raw` is bytes only. */
const formats = { prg: '-f1', raw: '-f3' }

const programs = [
  { source: 'kernal/kernal.asm', image: 'kernal.bin', symbols: 'kernal.sym', format: 'raw', size: 8192 },
  { source: 'basic/basic.asm', image: 'basic.bin', symbols: 'basic.sym', format: 'raw', size: 8192 },
  { source: 'demo/demo.asm', image: 'demo.prg', symbols: 'demo.sym', format: 'prg' },
  { source: 'stub/stub.asm', image: 'stub.prg', symbols: 'stub.sym', format: 'prg' },
  ...['wild-write', 'late-split', 'lost-return', 'wrong-bank'].map((name) => ({
    source: `practice/${name}.asm`,
    image: `practice/${name}.prg`,
    symbols: `practice/${name}.sym`,
    format: 'prg',
    onlyItsOwn: true,
  })),
]
const characterSet = { source: 'chargen/charset.txt', image: 'chargen.bin' }

/**
 * Assembles every image whose outputs are missing or older than a source. The folders are parameters for the tests.
 * Throws an Error naming file and line when a source is wrong.
 */
export async function assembleAll(
  sourceFolder = join(root, 'resources/c64'),
  outputFolder = join(root, 'out/resources/c64'),
) {
  const outputs = [...programs.flatMap(({ image, symbols }) => [image, symbols]), characterSet.image]
  const outputTimes = outputs.map((name) => modifiedAt(join(outputFolder, name)))
  const sourceTimes = [import.meta.filename, ...filesIn(sourceFolder)].map(modifiedAt)
  if (Math.min(...outputTimes) > Math.max(...sourceTimes)) return

  const contents = new Map()
  for (const { source, image, symbols, format, size, onlyItsOwn = false } of programs) {
    const result = assemble(join(sourceFolder, source), { format, shared: sourceFolder })
    if (size !== undefined && result.bytes.length !== size) {
      throw new Error(`${source}: assembled to ${result.bytes.length} bytes, but ${image} must have ${size}`)
    }
    const named = onlyItsOwn ? withinProgram(result) : result.symbols
    contents.set(image, result.bytes).set(symbols, formatSymbols(named))
  }
  const charset = readFileSync(join(sourceFolder, characterSet.source), 'utf8')
  contents.set(characterSet.image, parseCharset(charset, characterSet.source))

  for (const [name, content] of contents) {
    const file = join(outputFolder, name)
    const temporary = `${file}.${process.pid}`
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(temporary, content)
    renameSync(temporary, file) // a reader never meets half a file
  }
}

/**
 * Assembles one file; `include "name"` finds the text files beside it and those directly in `shared`.
 * Returns the bytes and the symbols as name → value.
 */
export function assemble(file, { format, shared = dirname(file) }) {
  const includes = {}
  for (const folder of [shared, dirname(file)]) {
    for (const path of filesIn(folder, false)) includes[basename(path)] = readFileSync(path, 'utf8')
  }
  const result = quietly(() => dasm(readFileSync(file, 'utf8'), { parameters: formats[format], includes }))
  const errors = (result.list ?? []).filter(({ errorMessage }) => errorMessage)
  if (errors.length > 0 || !result.success || result.exitStatus !== 0) {
    const lines = errors.map((line) => `${place(file, line)}: ${line.errorMessage}\n    ${line.raw.trim()}`)
    const text = lines.length > 0 ? lines : [`${relative(root, file)}: ${result.output.join('\n').trim()}`]
    throw new Error(`Assembly failed.\n${text.join('\n')}`)
  }
  return { bytes: result.data, symbols: parseSymbols(result.symbolsRaw) }
}

/** dasm's list parser writes a console warning for every source line; nothing else in it uses the console. */
function quietly(work) {
  const { warn } = console
  console.warn = () => undefined
  try {
    return work()
  } finally {
    console.warn = warn
  }
}

function place(file, { filename, number }) {
  return `${relative(root, filename === undefined ? file : join(dirname(file), filename))}:${number}`
}

/**
 * Reads dasm's symbol file, without the local labels (`12.loop` there). The module's own list is of no use: it takes the
 * first digit off addresses from $F000.
 */
function parseSymbols(text) {
  const lines = text.matchAll(/^([A-Za-z_]\w*)\s+([0-9a-f]{4})\b/gm)
  return new Map(Array.from(lines, ([, name, value]) => [name, parseInt(value, 16)]))
}

/** The symbols that name an address of the PRG, not the constants and registers of what it includes. */
function withinProgram({ bytes, symbols }) {
  const start = bytes[0] | (bytes[1] << 8)
  return [...symbols].filter(([, value]) => value >= start && value < start + bytes.length - 2)
}

/** Lines `name = $addr`, sorted by address. */
function formatSymbols(symbols) {
  return [...symbols]
    .sort(([nameA, a], [nameB, b]) => a - b || nameA.localeCompare(nameB))
    .map(([name, value]) => `${name} = $${value.toString(16).padStart(4, '0')}\n`)
    .join('')
}

const glyphsPerHalf = 128

/**
 * Turns the drawn character set into the 4096 bytes of a character ROM: set 1, its reverse, set 2, its reverse.
 * A glyph is a line `glyph <screen code in hex> <name>` and eight rows of eight `.` and `#`. `set 1` and `set 2` begin the
 * sets; set 2 starts as a copy of set 1 and lists only what differs. `;` begins a comment line.
 */
export function parseCharset(text, name = 'charset') {
  const sets = [new Array(glyphsPerHalf), new Array(glyphsPerHalf)]
  const lines = text.split(/\r?\n/)
  const fail = (index, message) => {
    throw new Error(`${name}:${index + 1}: ${message}`)
  }
  let set
  const drawn = new Set()
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index].trimEnd()
    if (line === '' || line.startsWith(';')) continue
    const [word, value = ''] = line.split(/\s+/)
    if (word === 'set') {
      if (value !== '1' && value !== '2') fail(index, `expected "set 1" or "set 2", found "${line}"`)
      set = sets[Number(value) - 1]
      if (value === '2') sets[1].splice(0, glyphsPerHalf, ...sets[0])
      drawn.clear()
    } else if (word === 'glyph') {
      const code = /^[0-7][0-9a-f]$/i.test(value)
        ? parseInt(value, 16)
        : fail(index, `"${value}" is no screen code 00-7F`)
      if (set === undefined) fail(index, 'a glyph before the first "set" line')
      if (drawn.has(code)) fail(index, `glyph ${value} is drawn twice in this set`)
      drawn.add(code)
      set[code] = Array.from({ length: 8 }, () => {
        index += 1
        const row = lines[index]?.trimEnd() ?? ''
        if (!/^[.#]{8}$/.test(row)) fail(index, `a glyph row is eight of . and #, found "${row}"`)
        return parseInt(row.replaceAll('.', '0').replaceAll('#', '1'), 2)
      })
    } else {
      fail(index, `expected "set", "glyph" or a comment, found "${line}"`)
    }
  }
  return Uint8Array.from(
    sets.flatMap((glyphs, number) => {
      const missing = Array.from(glyphs, (rows, code) => (rows === undefined ? code : -1)).find((code) => code >= 0)
      if (missing !== undefined) throw new Error(`${name}: set ${number + 1} has no glyph ${missing.toString(16)}`)
      const half = glyphs.flat()
      return [...half, ...half.map((row) => row ^ 0xff)]
    }),
  )
}

function filesIn(folder, recursive = true) {
  return readdirSync(folder, { withFileTypes: true, recursive })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Milliseconds since 1970; 0 for a file that is not there. */
function modifiedAt(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0
}

if (process.argv[1] === import.meta.filename) await assembleAll()
