/** Approval includes these files and is asked for again once one has changed. */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename, join, normalize } from 'node:path'

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

const interpreters = new Set(
  'sh bash dash zsh ksh fish python python3 perl ruby node deno bun lua php pwsh powershell cmd java source .'.split(
    ' ',
  ),
)

const prefixes = new Set('env exec time nice command builtin'.split(' '))

const MAX_FILES = 50

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

function namedIn(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    if (word === '-f' || word === '--file' || word === '--makefile') return words[index + 1] ?? []
    return /^(?:-f|--(?:make)?file=)(.+)$/.exec(word)?.[1] ?? []
  })
}

const folderIn = (words: readonly string[]): string => words[words.indexOf('-C') + 1 || words.length] ?? '.'

export interface CommandFiles {
  readonly files: string[]
  /** Changes with the content of the files, and when one appears that was not there. */
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
