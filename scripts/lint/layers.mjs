/**
 * Who may import whom. Each folder is listed with the folders and packages that its files may import beside their own
 * folder; what is not listed is an error, and so is a file in no listed folder. The longest path that matches counts:
 * `src-main/machine/vice` is a layer of its own, apart from `src-main/machine`. A path may also be one file.
 */

import { systems } from '../../src-shared/formats/systems.ts'

/** Node's own modules. */
const node = ['node:*']

export const layers = {
  // Both sides agree on it: neither Node nor DOM nor Electron.
  'src-shared': { packages: ['zod'] },
  // Artwork and its file formats; pictures of others are read by well-kept libraries without Node or DOM.
  'src-shared/graphics': { may: ['src-shared'], packages: ['fast-png', 'fflate', 'jpeg-js', 'omggif', 'zod'] },

  // What outsiders' programs import; it needs nothing of ours, and neither do they.
  'src-client': {},

  // How processes and threads talk.
  'src-main/rpc': { may: ['src-shared'], packages: node },
  'src-main/files': {
    may: ['src-shared', 'src-shared/graphics'],
    packages: [...node, 'better-sqlite3', 'electron-log', 'fast-png'],
  },
  'src-main/regex': { may: ['src-main/rpc', 'src-shared'], packages: node },
  'src-main/storage': { may: ['src-main/files', 'src-shared'], packages: [...node, 'better-sqlite3', 'zod'] },
  'src-main/git': { may: ['src-shared'], packages: node },

  // Machines.
  'src-main/machine': {
    may: ['src-main/rpc', 'src-main/storage', 'src-main/files', 'src-shared', 'src-main/machine/*'],
    packages: [...node, 'atomically', 'chokidar', 'serialport', 'zod'],
  },
  ...eachOf('src-main/machine', ['easyflash', 'stub', 'teensyrom'], {
    may: ['src-main/machine', 'src-main/machine/bytestream', 'src-shared'],
    packages: [...node, 'zod'],
  }),
  'src-main/machine/ultimate': { may: ['src-main/machine', 'src-shared'], packages: [...node, 'basic-ftp', 'zod'] },
  // Its program is looked for on the PATH.
  'src-main/machine/vice': { may: ['src-main/machine', 'src-main/files', 'src-shared'], packages: [...node, 'zod'] },
  // Its ROMs are files that a person chose.
  'src-main/machine/builtin': {
    may: ['src-main/machine', 'src-main/rpc', 'src-main/files', 'src-shared'],
    packages: [...node, 'atomically', 'zod'],
  },
  'src-main/machine/bytestream': { may: ['src-main/machine', 'src-shared'], packages: [...node, 'serialport'] },
  'src-main/connections': {
    may: ['src-main/machine', 'src-main/rpc', 'src-main/storage', 'src-main/files', 'src-shared'],
    packages: [...node, 'zod'],
  },
  'src-main/recorder': {
    may: ['src-main/rpc', 'src-main/storage', 'src-main/files', 'src-shared'],
    packages: [...node, 'better-sqlite3', 'zod'],
  },
  'src-main/steering': {
    may: ['src-main/machine', 'src-main/rpc', 'src-main/storage', 'src-main/files', 'src-shared'],
    packages: [...node, 'zod'],
  },
  'src-main/labels': {
    may: ['src-main/machine', 'src-main/rpc', 'src-main/storage', 'src-main/files', 'src-shared'],
    packages: [...node, 'chokidar', 'zod'],
  },
  'src-main/tasks': {
    may: [
      'src-main/machine',
      'src-main/recorder',
      'src-main/regex',
      'src-main/rpc',
      'src-main/storage',
      'src-main/files',
      'src-shared',
      'src-shared/graphics',
    ],
    packages: [...node, 'zod'],
  },

  // Orchestrations. Formats see names and texts only: nothing of Node, no disk.
  'src-main/formats': { may: ['src-shared', 'src-main/formats/*'], packages: ['zod'] },
  ...eachOf('src-main/formats', systems, {
    may: ['src-main/formats', 'src-main/formats/edit', 'src-main/formats/text', 'src-shared'],
    packages: ['diff', 'zod'],
  }),
  'src-main/formats/edit': { may: ['src-main/formats', 'src-main/formats/text', 'src-shared'], packages: ['zod'] },
  'src-main/formats/text': { may: ['src-main/formats', 'src-shared'], packages: ['jsonc-parser', 'yaml'] },
  'src-main/agents': {
    may: ['src-main/formats/text', 'src-main/rpc', 'src-main/storage', 'src-main/files', 'src-shared'],
    packages: [...node, 'jsonc-parser', 'zod'],
  },
  'src-main/projects': {
    may: [
      'src-main/formats',
      'src-main/formats/edit',
      'src-main/formats/text',
      'src-main/git',
      'src-main/rpc',
      'src-main/storage',
      'src-main/files',
      'src-shared',
    ],
    packages: [...node, 'chokidar', 'diff', 'zod'],
  },
  'src-main/loops': {
    may: [
      'src-main/projects',
      'src-main/formats',
      'src-main/formats/*',
      'src-main/agents',
      'src-main/git',
      'src-main/rpc',
      'src-main/storage',
      'src-main/files',
      'src-shared',
    ],
    packages: [...node, 'zod'],
  },

  // The configuration of agents' programs: what would change is shown as in projects.
  'src-main/agentClients': {
    may: [
      'src-main/projects',
      'src-main/formats',
      'src-main/formats/edit',
      'src-main/formats/text',
      'src-main/files',
      'src-main/rpc',
      'src-shared',
    ],
    packages: [...node, 'smol-toml'],
  },

  // A project's notes are one file: what two wrote at once is merged as in projects.
  'src-main/notes': {
    may: [
      'src-main/projects',
      'src-main/formats',
      'src-main/formats/text',
      'src-main/files',
      'src-main/rpc',
      'src-shared',
    ],
    packages: [...node, 'chokidar'],
  },

  'src-main/builds': {
    may: [
      'src-main/agents',
      'src-main/git',
      'src-main/machine',
      'src-main/rpc',
      'src-main/storage',
      'src-main/files',
      'src-shared',
    ],
    packages: [...node, 'zod'],
  },

  // What is kept: how large it is, and a backup of it.
  'src-main/data': {
    may: ['src-main/rpc', 'src-main/files', 'src-shared'],
    packages: [...node, 'better-sqlite3'],
  },

  // The processes.
  'src-main/bridge': {
    may: [
      'src-main/machine',
      'src-main/machine/ultimate',
      'src-main/machine/vice',
      'src-main/connections',
      'src-main/agentClients',
      'src-main/builds',
      'src-main/data',
      'src-main/labels',
      'src-main/notes',
      'src-main/recorder',
      'src-main/steering',
      'src-main/tasks',
      'src-main/regex',
      'src-main/formats',
      'src-main/agents',
      'src-main/projects',
      // `files` for the socket's folder.
      'src-main/loops',
      'src-main/rpc',
      'src-main/storage',
      'src-main/files',
      'src-shared',
    ],
    packages: [...node, 'zod'],
  },
  'src-main/bridge.ts': {
    may: ['src-main/bridge', 'src-main/rpc', 'src-main/files', 'src-shared'],
    packages: [...node, 'electron-log'],
  },
  'src-main/electron': {
    may: ['src-main/bridge', 'src-main/rpc', 'src-main/files', 'src-shared'],
    packages: [...node, 'electron', 'electron-log', 'atomically', 'fflate', 'zod'],
  },
  'src-main/main.ts': {
    may: ['src-main/electron', 'src-main/files', 'src-shared'],
    packages: [...node, 'electron', 'electron-log'],
  },
  // `project`, `ncrew` and `maestro` work without a bridge, on the files alone.
  'src-main/cli': {
    may: [
      'src-main/agentClients',
      'src-main/bridge',
      'src-main/connections',
      'src-main/tasks',
      'src-main/projects',
      'src-main/formats',
      'src-main/formats/maestro',
      'src-main/formats/ncrew',
      'src-main/formats/text',
      'src-main/loops',
      'src-main/rpc',
      'src-main/storage',
      'src-main/files',
      'src-client',
      'src-shared',
      'src-shared/graphics',
    ],
    packages: [...node, '@modelcontextprotocol/sdk', 'atomically', 'ws', 'zod'],
  },
  'src-main/cli.ts': { may: ['src-main/cli', 'src-main/files', 'src-shared'], packages: node },

  // The window.
  'src-preload': { may: ['src-shared'], packages: ['electron'] },
  'src-renderer/widgets': {
    may: ['src-shared', 'src-shared/graphics'],
    packages: ['@tanstack/react-virtual', 'lucide-react', 'radix-ui', 'react', 'react-markdown', 'remark-gfm', 'uplot'],
  },
  'src-renderer/client': {
    may: ['src-renderer/widgets', 'src-shared', 'src-shared/graphics'],
    packages: ['lucide-react', 'react', 'zod', 'zustand'],
  },
  'src-renderer/frames': {
    may: ['src-renderer/client', 'src-renderer/widgets', 'src-shared', 'src-shared/graphics'],
    packages: ['lucide-react', 'react', 'zustand'],
  },
  'src-renderer/views/*': {
    may: ['src-renderer/frames', 'src-renderer/client', 'src-renderer/widgets', 'src-shared', 'src-shared/graphics'],
    packages: ['@tanstack/react-virtual', 'diff', 'lucide-react', 'radix-ui', 'react', 'zod', 'zustand'],
  },
  'src-renderer/shell': {
    may: ['src-renderer/views/*', 'src-renderer/frames', 'src-renderer/client', 'src-renderer/widgets', 'src-shared'],
    packages: ['cmdk', 'flexlayout-react', 'lucide-react', 'radix-ui', 'react', 'zod', 'zustand'],
  },
  // Every widget in every state, for those who build the window: it has no machine and asks nothing.
  'src-renderer/gallery': {
    may: ['src-renderer/client', 'src-renderer/widgets'],
    packages: ['lucide-react', 'radix-ui', 'react', 'react-dom'],
  },
  'src-renderer': {
    // The window of the picture alone draws frames without a shell.
    may: [
      'src-renderer/gallery',
      'src-renderer/shell',
      'src-renderer/frames',
      'src-renderer/client',
      'src-renderer/widgets',
      'src-shared',
    ],
    packages: ['react-dom'],
  },
}

function eachOf(folder, names, layer) {
  return Object.fromEntries(names.map((name) => [`${folder}/${name}`, layer]))
}

/** @returns {string | undefined} the layer of a file; of a folder with `*` the folder itself, `src-renderer/views/memory` */
export function layerOf(path) {
  if (path in layers) return path
  // An import may name a folder, for its index.ts.
  const folder = path.slice(path.lastIndexOf('/')).includes('.') ? parentOf(path) : path
  for (let at = folder; at !== ''; at = parentOf(at)) {
    if (at in layers || `${parentOf(at)}/*` in layers) return at
  }
  return undefined
}

const rulesOf = (layer) => layers[layer] ?? layers[`${parentOf(layer)}/*`]

/** @returns {string | undefined} why a file of one layer may not import a file of the project */
export function refuseFile(from, target) {
  const [importer, imported] = [layerOf(from), layerOf(target)]
  if (importer === undefined) return unlisted(from)
  if (imported === undefined) return unlisted(target)
  if (importer === imported) return undefined
  const { may = [] } = rulesOf(importer)
  if (may.includes(imported) || may.includes(`${parentOf(imported)}/*`)) return undefined
  return `${importer} may not import ${imported}`
}

/** @param {string} name of the package, or of a module of Node's with `node:` */
export function refusePackage(from, name) {
  const layer = layerOf(from)
  if (layer === undefined) return unlisted(from)
  const { packages = [] } = rulesOf(layer)
  if (packages.includes(name.startsWith('node:') ? 'node:*' : name)) return undefined
  return `${layer} may not import ${name}`
}

const unlisted = (path) => `${path} is in no folder that scripts/lint/layers.mjs lists`
const parentOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))
