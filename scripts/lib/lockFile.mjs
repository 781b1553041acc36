/** The packages of package-lock.json: objects by folder, such as `node_modules/zod`; the project's own is `''`. */

/** Where Node finds a package: beside the one that needs it, or in a folder above. @returns {string} a folder that may not be there */
export function locate(packages, name, folder) {
  const parents = folder.split('/node_modules/')
  for (let depth = parents.length; depth > 0; depth--) {
    const path = `${parents.slice(0, depth).join('/node_modules/')}/node_modules/${name}`
    if (path in packages) return path
  }
  return `node_modules/${name}`
}

/** @returns {{ name: string, version: string, license?: string, integrity?: string }} of a folder; an alias has its real name */
export function lockedPackage(packages, folder) {
  const found = packages[folder]
  return found && { ...found, name: found.name ?? folder.slice(folder.lastIndexOf('node_modules/') + 13) }
}
