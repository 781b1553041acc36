/**
 * `npm run package [-- KIND…]`: makes the installed app for this system, in out/app/made. On Linux an unpacked folder (dir), tar.gz and deb, or what is
 * named: AppImage and rpm too. On macOS dmg and zip, on Windows nsis and portable. Nothing is signed or published.
 */
import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { makeAppPackages } from './lib/appPackages.mjs'
import { fail, root, say } from './lib/process.mjs'
import { ensureSetup } from './lib/setup.mjs'

async function main() {
  await ensureSetup()
  const { files, standIn } = await makeAppPackages(process.argv.slice(2))
  for (const file of files)
    process.stdout.write(`${relative(root, file)}: ${(statSync(file).size / 1e6).toFixed(1)} MB\n`)
  if (standIn) say(`the stand-in Electron ${standIn} is in them: for trying only, not to be given to anybody.`)
}

await main().catch(fail)
