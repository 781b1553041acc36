/** The npm package in a folder of its own, as `npm install` leaves it there, without a network. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { packPackage, type PackedPackage } from '../../scripts/lib/npmPackage.mjs'
import { runtimeFolders } from '../../scripts/notices.mjs'

export interface InstalledPackage extends PackedPackage {
  /** The package's folder. */
  readonly installed: string
  /** The script that its bin names. */
  readonly program: string
}

/** Packs what was built, unpacks the tarball in the folder, and copies what it depends on from the checkout. */
export async function installPackage(folder: string): Promise<InstalledPackage> {
  const packed = await packPackage(folder)
  const installed = join(folder, 'node_modules', 'bridgedeck')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', packed.tarball, '-C', installed, '--strip-components=1'])
  for (const path of runtimeFolders())
    cpSync(resolve(path), join(folder, path), { recursive: true, filter: (file) => !isForCompilers(file) })
  return { ...packed, installed, program: join(installed, 'bridgedeck.cjs') }
}

/** better-sqlite3's sources, and what a compiler made of them. */
const isForCompilers = (file: string): boolean => /better-sqlite3[/\\](deps|src|build)$/.test(file)

/** What an agent's program says first. */
export const initializeLine = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})}\n`
