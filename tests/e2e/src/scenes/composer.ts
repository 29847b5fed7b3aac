import type { Page } from 'playwright-core'
import { pasteText } from '../data-transfer.ts'
import { answers, composer, stopButton } from '../people.ts'
import { samplePdf, samplePng } from '../sample-files.ts'
import { addRecogniser, failToHear, speak } from '../stand-in-recogniser.ts'
import { addedModels } from '../tooled-system.ts'
import type { World } from '../world.ts'
import { answerWith, chooseModel, newcomer, type Scene } from './scene.ts'

async function command(page: Page, line: string): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: /^Model: DeepSeek/ }).waitFor()
  await composer(page).fill(line)
  await composer(page).press('Enter')
}

function tellPrices({ quotes }: World): void {
  const time = 1_790_000_000
  quotes.names.set('AAPL', 'Apple Inc.').set('ENPH', 'Enphase Energy').set('BTC-USD', 'Bitcoin')
  quotes.prices.set('AAPL', { c: 231.5, d: 1.2, dp: 0.52, t: time })
  quotes.prices.set('ENPH', { c: 71.23, d: -1.2, dp: -1.66, t: time })
}

async function attach(page: Page): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles([samplePng(), samplePdf()])
  await page.getByRole('button', { name: 'Remove wall.png' }).waitFor()
  await page.getByText('1 page').waitFor()
}

/** The composer and its menus. */
export const composing: Scene[] = [
  newcomer('tools', async (page) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Tools' }).click()
    await page.getByRole('menuitem', { name: /Study mode/ }).waitFor()
  }),
  newcomer('commands', { continues: 'tools' }, async (page) => {
    await page.keyboard.press('Escape')
    await composer(page).fill('/')
    await page.getByRole('option', { name: /study/ }).waitFor()
  }),
  newcomer('emoji', { continues: 'commands' }, async (page) => {
    await composer(page).fill('')
    await page.getByRole('button', { name: 'Insert an emoji' }).click()
    await page.getByRole('gridcell').first().waitFor()
  }),
  newcomer('examples', { continues: 'emoji' }, async (page) => {
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More examples' }).click()
    await page.getByRole('tab', { name: 'Random Fact' }).click()
    await page.getByRole('tabpanel', { name: 'Random Fact' }).getByRole('button').first().waitFor()
  }),
  newcomer('own-files', async (page) => {
    await page.goto('/')
    await chooseModel(page, addedModels.reader)
    await attach(page)
    await composer(page).fill('What class is this house?')
    await composer(page).press('Enter')
    await answers(page).first().waitFor()
    await stopButton(page).waitFor({ state: 'detached' })
    await page.goto('/')
    await composer(page).fill('Compare it with #')
    await page.getByRole('option', { name: /wall\.png/ }).waitFor()
  }),
  newcomer('dictation-told', async (page) => {
    await addRecogniser(page)
    await page.goto('/')
    await page.getByRole('button', { name: 'Dictate' }).click()
    await page.getByRole('dialog', { name: 'Dictate a message' }).waitFor()
  }),
  newcomer('dictating', { continues: 'dictation-told' }, async (page) => {
    await page.getByRole('button', { name: 'Start dictation' }).click()
    await page.getByText('Listening…').waitFor()
    await speak(page, ['What is the best time', true], ['to plant tomatoes', false])
    await page.getByText('What is the best time to plant tomatoes').waitFor()
  }),
  newcomer('dictation-failed', { continues: 'dictating' }, async (page) => {
    await failToHear(page, 'not-allowed')
    await page.getByText(/^Dictation needs the microphone/).waitFor()
  }),
  newcomer('attachments', async (page) => {
    await page.goto('/')
    await chooseModel(page, addedModels.reader)
    await attach(page)
    await composer(page).fill('What class is this house?')
    await page.getByRole('button', { name: 'Tools' }).click()
    await page.getByRole('menuitem', { name: /Study mode/ }).click()
    await page.getByRole('button', { name: 'Turn off Study mode' }).waitFor()
  }),
  newcomer('attachments-refused', async (page) => {
    await page.goto('/')
    await page.getByRole('button', { name: /^Model: DeepSeek/ }).waitFor()
    await attach(page)
    await composer(page).fill('What class is this house?')
    await composer(page).press('Enter')
    await page.getByText('This model can’t read the files.').waitFor()
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([{ name: 'IMG_1.heic', mimeType: 'image/heic', buffer: Buffer.from('x') }])
    await page.getByText(/HEIC files aren’t supported\./).waitFor()
  }),
  newcomer('attachments-failed', async (page) => {
    await answerWith(page, '/chat/files', 503, { error: 'No room right now', code: 'unavailable', requestId: 'r' })
    await page.goto('/')
    await chooseModel(page, addedModels.reader)
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([samplePng('a-rather-long-name-of-a-picture.png')])
    await page.getByText('No room right now').waitFor()
    await pasteText(composer(page), Array.from({ length: 900 }, (_, line) => `line ${line} of it`).join('\n'))
    await page.getByText('Pasted text (900 lines)').waitFor()
  }),
  newcomer('modes', async (page, world) => {
    tellPrices(world)
    await command(page, '/finance')
    await command(page, '/search')
    await command(page, '/study')
    await composer(page).fill('What about $AAPL, $ENPH and $NOPE9?')
    await page.getByRole('region', { name: 'Prices' }).getByText('$231.50').waitFor()
    await page.getByRole('region', { name: 'Prices' }).getByText('Invalid ticker').waitFor()
  }),
  newcomer('watchlist', async (page, world) => {
    tellPrices(world)
    await command(page, '/finance')
    await page.getByRole('button', { name: 'Edit watchlist' }).click()
    const dialog = page.getByRole('dialog', { name: 'Watchlist' })
    await dialog.getByLabel('Ticker').fill('enph')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByRole('button', { name: 'Stop following ENPH' }).waitFor()
    await dialog.getByLabel('Ticker').fill('NOPE9')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByText('Invalid ticker').waitFor()
  }),
  newcomer('image-mode', async (page) => {
    await command(page, '/image')
    await page.getByTitle('Choose an image model').click()
    await page.getByRole('menuitemradio').first().waitFor()
  }),
]
