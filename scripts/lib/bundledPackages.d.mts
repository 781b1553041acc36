import type { Plugin } from 'vite'

export const packagesFolder: string
export const listPackages: (bundleName: string) => Plugin
export const packageFolder: (moduleId: string) => string | undefined
