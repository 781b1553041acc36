/** The files of a folder that a build command runs: a build is approved with them, and asked for again once one has changed. */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename, join, normalize } from 'node:path'

/** What these programs read by themselves, the first that is there first. */
const readByThemselves: Readonly<Record<string, readonly string[]>> = {
  make: ['GNUmakefile', 'makefile', 'Makefile'],
  gmake: ['GNUmakefile', 'makefile', 'Makefile'],
  ninja: ['build.ninja'],
  cmake: ['CMakeLists.txt'],
  meson: ['meson.build'],
  scons: ['SConstruct'],
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  rake: ['Rakefile', 'rakefile'],
  ant: ['build.xml'],
  gradle: ['build.gradle', 'build.gradle.kts'],
  npm: ['package.json'],
  npx: ['package.json'],
  pnpm: ['package.json'],
  yarn: ['package.json'],
}

/** Their first argument that is a file is what they run. */
const interpreters = new Set(
  'sh bash dash zsh ksh fish python python3 perl ruby node deno bun lua php pwsh powershell cmd java source .'.split(
    ' ',
  ),
)

/** Stand before the program in a command. */
const prefixes = new Set('env exec time nice command builtin'.split(' '))

const MAX_FILES = 50

/** The names that a command may run, from its folder, whether they are there or not. */
export function namesRunBy(command: string): string[] {
  return command.split(/\|\||&&|[;|&\n()]/).flatMap((simple) => {
    const words = simple.split(/\s+/).flatMap((word) => word.replaceAll(/["']/g, '') || [])
    const start = words.findIndex((word) => !/^\w+=/.test(word) && !prefixes.has(word))
    if (start < 0) return []
    const [program = '', ...rest] = words.slice(start)
    const name = basename(program).replace(/\.exe$/i, '')
    const own = readByThemselves[name]
    return [
      ...(/[\\/]/.test(program) ? [program] : []),
      ...(interpreters.has(name) ? rest.filter((word) => !word.startsWith('-')).slice(0, 1) : []),
      ...(own ? [...namedIn(rest), ...own.map((file) => join(folderIn(rest), file))] : []),
    ]
  })
}

/** `-f FILE`, `-fFILE`, `--file=FILE`. */
function namedIn(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    if (word === '-f' || word === '--file' || word === '--makefile') return words[index + 1] ?? []
    return /^(?:-f|--(?:make)?file=)(.+)$/.exec(word)?.[1] ?? []
  })
}

/** `-C FOLDER`. */
const folderIn = (words: readonly string[]): string => words[words.indexOf('-C') + 1 || words.length] ?? '.'

export interface CommandFiles {
  /** As they are named from the folder, those that are there. */
  readonly files: string[]
  /** Another for each content of the files, and where one is there that was not. */
  readonly digest: string
}

export async function commandFiles(command: string, folder: string): Promise<CommandFiles> {
  const files: string[] = []
  const digest = createHash('sha256')
  for (const name of [...new Set(namesRunBy(command).map((file) => normalize(file)))]) {
    const path = join(folder, name)
    const isFile = await stat(path).then(
      (found) => found.isFile(),
      () => false,
    )
    if (!isFile || files.length === MAX_FILES) continue
    files.push(name)
    const content = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
    digest.update(`${name}\n${content}\n`)
  }
  return { files, digest: digest.digest('hex') }
}
