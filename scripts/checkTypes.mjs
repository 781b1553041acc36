/**
 * Checks the types of each process with the globals that it really has: the page no Node, the bridge no DOM, src-shared
 * neither. Tests may use both, and stand in the root's tsconfig.json.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { cacheFolder, root } from './lib/process.mjs'

const projects = ['src-shared', 'src-client', 'src-main', 'src-preload', 'src-renderer', '.']

// The compiler of TypeScript 7: typescript-eslint needs the API of TypeScript 6, which checks at a third of the speed.
const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc')

const failed = projects.filter((project) => {
  const state = join(cacheFolder, 'types', `${project === '.' ? 'tests' : project}.tsbuildinfo`)
  const options = ['--noEmit', '--incremental', '--tsBuildInfoFile', state, '--project', project]
  return spawnSync(process.execPath, [compiler, ...options], { cwd: root, stdio: 'inherit' }).status !== 0
})
process.exitCode = failed.length > 0 ? 1 : 0
