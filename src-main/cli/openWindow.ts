import { installationOf, type Installation } from '../files/installation'

export const openWindow = (out: string): string => ways[installationOf(out)]

const ways: Readonly<Record<Installation, string>> = {
  checkout: 'Open the Bridgedeck window with “npm start”',
  package: 'For the window, which this package does not have, clone Bridgedeck’s repository and run “npm start” there',
  app: 'Open the Bridgedeck window',
}
