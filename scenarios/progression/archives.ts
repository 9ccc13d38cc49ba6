// Checks stories, their nodes and pages, and the reward track.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { expectAnyAgreement } from '../../engine/flow/agreement.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { pathOf } from '../../engine/flow/places.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import { placesThatDiffer, type Snapshot, valuesIn } from '../../engine/flow/snapshot.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { answerLeaves, type Exchange, isSuccess, sentJson, statusOf } from '../../engine/http/exchange.ts';
import { instantOf } from '../../engine/values/instant.ts';
import { isObject, leavesOf, parsedJson } from '../../engine/values/json-walk.ts';
import { noSuchId } from '../../engine/values/nonexistent.ts';
import { queryOf } from '../../engine/values/text.ts';
import { entriesAt, findList } from '../messages/list-place.ts';
import { expectUnmarked } from '../messages/read-marks.ts';
import { experience } from './experience.ts';
import { lockedIn } from './locked.ts';

const area = areas.archives;
const clauses = effects.progression;

interface Page {
  readonly id: string;
  /** The fields of its entry that say whether it was read: `isRead`, `readAt`, `seen` … */
  readonly marks: readonly (readonly [name: string, value: unknown])[];
}

const aboutReading = /read|seen|viewed|opened/i;
const isUnread = ({ marks }: Page) => marks.some(([, mark]) => mark === false || mark === null || mark === 0);

/** The pages of a journal, from its longest list of objects with ids; undefined where it has no such list. */
function pagesIn(answer: Exchange): readonly Page[] | undefined {
  const place = findList(answer);
  if (place === undefined) return undefined;
  return entriesAt(answer, place.list)
    ?.filter(isObject)
    .map((entry) => ({
      id: String(entry[place.key]),
      marks: Object.entries(entry).filter(([name]) => aboutReading.test(name)),
    }));
}

/** Says under which name a journal shows the ids of its pages. */
function shownAs(journal: Exchange) {
  const { key } = findList(journal) ?? {};
  return key === undefined ? {} : { shownAs: { [key]: 'pageId' } };
}

/**
 * A player reads a page, and the journal after it.
 * @param before the journal as it was before any page was read
 * @returns the pages that are marked otherwise than in it
 */
async function readPage(context: StepContext<'player' | 'other'>, before: Exchange, page: Page) {
  const sent = await context.mustSucceed('player', area.readPage, {
    carry: { pageId: page.id },
    ...shownAs(before),
    madeUp: 'a page that the journal names',
  });
  const { last } = await pollAnswered(
    () => context.send('player', area.journal),
    (answer) => markedSince(before, answer).some(({ id }) => id === page.id),
  );
  return { sent, last, marked: markedSince(before, last) };
}

/** The pages that a journal marks otherwise than it did before. */
function markedSince(before: Exchange, now: Exchange): readonly Page[] {
  const was = new Map(pagesIn(before)?.map(({ id, marks }) => [id, JSON.stringify(marks)]));
  return (pagesIn(now) ?? []).filter(({ id, marks }) => was.has(id) && was.get(id) !== JSON.stringify(marks));
}

/** Times that differ by less than this, in ms, may be those of two successive calls. */
const soon = 60_000;

/** Whether all values, as JSON, are times less than `soon` apart. */
function areTimesAtOnce(values: readonly string[]): boolean {
  const times = values.map((value) => instantOf(parsedJson(value)) ?? Number.NaN);
  return Math.max(...times) - Math.min(...times) < soon;
}

/** An answer, and the name of the thing that it is about. */
type About = readonly [answer: Exchange, name: string];

/** Whether two answers say the same of two things: they differ only in the names of the things and in times. */
function areAlike(
  context: Pick<StepContext, 'wandering'>,
  [one, nameOfOne]: About,
  [other, nameOfOther]: About,
): boolean {
  const [ofOne, ofOther] = [valuesIn(one), valuesIn(other)];
  const names = (values: readonly string[] | undefined, name: string) =>
    values?.every((value) => value === JSON.stringify(name)) === true;
  const places = placesThatDiffer(one, other).difference(context.wandering());
  return [...places].every(
    (place) =>
      (names(ofOne.get(place), nameOfOne) && names(ofOther.get(place), nameOfOther)) ||
      areTimesAtOnce([...(ofOne.get(place) ?? []), ...(ofOther.get(place) ?? [])]),
  );
}

export function archives(flow: Flow): void {
  const scenario = flow.scenario('player', 'other');
  const { prepare, step, observe } = scenario;

  const before = prepare('progress as it was', async (context) => ({
    node: await context.snapshot('player', area.activeNode),
    othersNode: await context.snapshot('other', area.activeNode),
  }));

  const read = step('story', [area.story], clauses.called, 'a player reads a story', (context) =>
    context.mustSucceed('player', area.story),
  );
  /** The nodes that the story names. */
  const nodesIn = (context: Pick<StepContext, 'resultOf' | 'values'>) =>
    context.values(context.resultOf(read), /node.*ids?$|^nodes$/i);

  read.step(
    'story-asked',
    [area.story, area.storyStatus],
    clauses.asked,
    'a story that is asked for by another id is another story',
    async (context, first) => {
      const own = queryOf(first.request.url).get('storyId') ?? '';
      const leaves = answerLeaves(await context.send('player', area.storyStatus));
      // Ids at other places are those of nodes and pages.
      const places = new Set(
        leaves.filter(({ value }) => String(value) === own).map(({ pointer }) => pathOf(pointer)),
      );
      const others = leaves.filter((leaf) => String(leaf.value) !== own && places.has(pathOf(leaf.pointer)));
      const other = others[0]?.value;
      const itself = answerLeaves(first).find(({ pointer }) =>
        /^(?:\/[^/\d][^/]*)?\/(?:story_?)?id$/i.test(pointer),
      );
      const isAnother = others.some(({ value }) => value === itself?.value);
      context.expect(
        !isAnother,
        `the story ${own}, which was asked for`,
        `the story ${itself?.value}`,
        first,
      );
      const named = answerLeaves(first).find(
        ({ name, value }) => String(value) === own && /^(?:story_?)?id$/i.test(name),
      );
      if (named === undefined || other === undefined || other === null)
        return context.notTriggered('no answer names the story and another one');
      const second = await context.send('player', area.story, { params: { storyId: String(other) } });
      if (!isSuccess(second)) context.notTriggered(`the other story is answered ${statusOf(second)}`);
      const isFirst = placesThatDiffer(first, second).difference(context.wandering()).size === 0;
      context.expect(!isFirst, `the story ${other}`, `the story ${own}`, second);
    },
  );

  const chosen = before.step(
    'active-node',
    [area.updateActiveNode, area.activeNode],
    clauses.shown,
    'a player makes a node active, and reads it as the active node',
    async (context, { node }) => {
      const nodeId = nodesIn(context).find((id) => !context.mentions(node.exchange, id));
      if (nodeId === undefined)
        return context.cannotTell('unknown-resource', 'the story names no node but the active one');
      return context.sets('player', area.updateActiveNode, {
        value: nodeId,
        as: 'nodeId',
        // The story names its nodes, and does not show which of them may be made active.
        madeUp: 'a node that the story names',
        shownIn: (value) => ({ operation: area.activeNode, value, what: 'the node that was made active' }),
      });
    },
  );

  chosen.step(
    'active-node-own',
    [area.activeNode, area.updateActiveNode],
    clauses.own,
    "another player's active node stays as it was",
    (context) =>
      context.expectUnchanged(context.resultOf(before).othersNode, "the other player's node as it was"),
  );

  chosen.step(
    'active-node-next',
    [area.activeNode, area.updateActiveNode],
    clauses.shown,
    'a player makes the next node active, and reads that one',
    async (context, { value: first, isOwn }) => {
      if (!isOwn) context.notTriggered('the profile fixes the node that is made active');
      const isNew = (id: string) =>
        id !== first && !context.mentions(context.resultOf(before).node.exchange, id);
      const next = nodesIn(context).find(isNew);
      if (next === undefined) return context.notTriggered('the story names no further node');
      const activate = (nodeId: string) =>
        context.sendLikeliest('player', area.updateActiveNode, { carry: { nodeId } });
      const answer = await activate(next);
      if (!isSuccess(answer))
        context.cannotTell('needs-state', `a further node is answered ${statusOf(answer)}`);
      const { last, holds } = await pollAnswered(
        () => context.send('player', area.activeNode),
        (read) => context.mentions(read, next),
      );
      if (holds) return;
      // The next node may not be open yet. Its answer says that it became active only if the first node's is alike.
      const isSaid =
        context.mentions(answer, next) && areAlike(context, [answer, next], [await activate(first), first]);
      if (!isSaid || !context.mentions(last, first))
        context.cannotTell('needs-state', `${area.activeNode.id} does not show the further node`);
      context.expect(
        false,
        `${area.activeNode.id} with ${next}, as the answer says`,
        `it shows ${first}`,
        last,
      );
    },
  );

  chosen.step(
    'active-node-locked',
    [area.updateActiveNode, area.story, area.activeNode],
    clauses.locked,
    'a node that the story shows as locked does not become active',
    async (context) => {
      const locked = lockedIn(await context.send('player', area.story));
      const nodeId = nodesIn(context).findLast((id) => locked.includes(id));
      if (nodeId === undefined) return context.notTriggered('the story shows no node as locked');
      const answer = await context.sendLikeliest('player', area.updateActiveNode, { carry: { nodeId } });
      if (!isSuccess(answer)) return context.note(`it is answered ${statusOf(answer)}`);
      const { last, holds } = await pollAnswered(
        () => context.send('player', area.activeNode),
        (read) => context.mentions(read, nodeId),
      );
      context.expect(
        !holds,
        `${area.activeNode.id} without ${nodeId}, which the story shows as locked`,
        'it is active',
        last,
      );
    },
  );

  const journal = step(
    'journal',
    [area.journal],
    clauses.called,
    'a player reads a journal',
    async (context) => {
      const first = await context.mustSucceed('player', area.journal);
      return {
        first,
        own: await context.snapshot('player', area.journal),
        others: await context.snapshot('other', area.journal),
      };
    },
  );

  journal.step(
    'journal-unmarked',
    [area.journal],
    clauses.unmarked,
    'asking for a journal marks none of its pages as read',
    async (context, { first, own }) => expectUnmarked(context, first, own.exchange),
  );

  const turned = journal.observe(
    'page',
    [area.readPage, area.journal],
    'whether the journal shows that a page was read',
    async (context, { own }) => {
      const [pageId] = context.values(own.exchange, /page.*ids?$|^pages$/i);
      const sent = await context.mustSucceed(
        'player',
        area.readPage,
        pageId === undefined
          ? {}
          : { carry: { pageId }, anyFixed: true, madeUp: 'a page that the journal names' },
      );
      const shown = await context.lastingChange(own);
      if (shown) context.confirmBody(area.readPage);
      context.observe(shown ? 'it does' : 'it does not', shown?.exchange);
      const names = leavesOf(sentJson(sent)).some(({ value }) => String(value) === pageId);
      return { isShown: shown !== undefined, pageId: names ? pageId : undefined };
    },
  );

  const right = journal.step(
    'page-right',
    [area.readPage, area.journal],
    clauses.right,
    'reading a page marks that page as read, and not another in its place',
    async (context, { own }) => {
      const { exchange: before } = await context.snapshot('player', area.journal);
      const list = pagesIn(before) ?? [];
      const marks = markedSince(own.exchange, before);
      const asked = list.find(({ id }) => id === context.resultOf(turned).pageId);
      if (asked && marks[0])
        context.expect(
          !isUnread(asked) || marks.some(({ id }) => id === asked.id),
          `${area.journal.id} marks ${asked.id}, which was read`,
          `it marks ${marks[0].id}`,
          before,
        );
      // Takes two in a row, so that a mark on the wrong one shows as well.
      const at = list.findIndex((one, nth) => [one, list[nth + 1]].every((each) => each && isUnread(each)));
      const [page, next] = at < 0 ? [] : list.slice(at);
      if (!page || !next)
        return context.cannotTell('needs-state', 'the journal shows no two unread pages in a row');
      const { sent, last, marked } = await readPage(context, before, page);
      const [other] = marked;
      if (other === undefined) {
        const answered = { answer: sent, before, call: area.readPage };
        await expectAnyAgreement(context, 'player', answered, { operation: area.journal });
        // Where a page that no journal has is not found, the server looked for the one that was named.
        const unknown = await context.sendLikeliest('player', area.readPage, {
          carry: { pageId: noSuchId(page.id) },
          ...shownAs(before),
        });
        if (statusOf(unknown) === 404) context.confirmBody(area.readPage);
        context.expect(
          statusOf(unknown) !== 404,
          `${area.journal.id} marks ${page.id}, which was read`,
          `no mark after ${statusOf(sent)}; a page that no journal has is answered 404`,
          last,
        );
        return context.cannotTell('needs-state', `the journal marks nothing after ${statusOf(sent)}`);
      }
      context.confirmBody(area.readPage);
      context.expect(
        marked.some(({ id }) => id === page.id),
        `${area.journal.id} marks ${page.id}, which was read`,
        `it marks ${other.id}`,
        last,
      );
      return { before, page, next };
    },
  );

  right.step(
    'pages-kept',
    [area.readPage, area.journal],
    clauses.keptRead,
    'a page that was read stays so when the next one is read',
    async (context, { before, page, next }) => {
      const { marked, last } = await readPage(context, before, next);
      const isMarked = (one: Page) => marked.some(({ id }) => id === one.id);
      if (!isMarked(next))
        return context.cannotTell('needs-state', 'the journal does not mark a second page');
      context.confirmBody(area.readPage);
      context.expect(isMarked(page), `${page.id} and ${next.id} marked as read`, `${next.id} alone`, last);
    },
  );

  journal.step(
    'page-locked',
    [area.readPage, area.journal],
    clauses.locked,
    'a page that the journal shows as locked is not read',
    async (context) => {
      const { exchange: before } = await context.snapshot('player', area.journal);
      const locked = lockedIn(before);
      const page = pagesIn(before)?.findLast((one) => locked.includes(one.id) && isUnread(one));
      if (page === undefined) return context.notTriggered('the journal shows no unread page as locked');
      const answer = await context.sendLikeliest('player', area.readPage, {
        carry: { pageId: page.id },
        ...shownAs(before),
      });
      if (!isSuccess(answer)) return context.note(`it is answered ${statusOf(answer)}`);
      const marksOf = (read: Exchange) =>
        JSON.stringify(pagesIn(read)?.find(({ id }) => id === page.id)?.marks ?? page.marks);
      const { last, holds } = await pollAnswered(
        () => context.send('player', area.journal),
        (read) => marksOf(read) !== JSON.stringify(page.marks),
      );
      context.expect(!holds, `${page.id} as it was: unread, since it is locked`, marksOf(last), last);
    },
  );

  step(
    'page-own',
    [area.readPage, area.journal],
    clauses.own,
    "another player's journal stays as it was",
    async (context) => {
      if (!context.resultOf(turned).isShown)
        context.cannotTell('needs-state', 'the journal does not show the page as read');
      await context.expectUnchanged(context.resultOf(journal).others, "the other player's journal as it was");
    },
  );

  const popup = observe(
    'popup',
    [area.showStartPopup, area.popupStatus],
    'whether a popup that was shown is reported as shown',
    async (context) => {
      const [status, others] = [
        await context.snapshot('player', area.popupStatus),
        await context.snapshot('other', area.popupStatus),
      ];
      await context.mustSucceed('player', area.showStartPopup);
      const shown = await context.lastingChange(status);
      context.observe(shown ? 'it is' : 'it is not', shown?.exchange);
      return { others, isShown: shown !== undefined };
    },
  );

  popup.step(
    'popup-own',
    [area.showStartPopup, area.popupStatus],
    clauses.own,
    'a popup that one player was shown is not shown to another as seen',
    async (context, { others, isShown }) => {
      if (!isShown) context.notTriggered(`${area.popupStatus.id} shows no popup as shown`);
      await context.expectUnchanged(others, "the other player's status as it was");
    },
  );

  step(
    'popup-right',
    [area.showStartPopup, area.popupStatus],
    clauses.popup,
    'a popup that was shown is that of the archive that was named, and not of another in its place',
    async (context) => {
      const one = await context.snapshot('other', area.popupStatus);
      const given = new URLSearchParams(one.exchange.request.url.split('?')[1]).get('archiveId') ?? '';
      const known = context.values(
        await context.send('other', area.storyStatus),
        /archive.*ids?$|^archives$/i,
      );
      const another = known.find((id) => id !== given);
      const archiveId = another ?? given.replace(/\d+$/, (number) => String(Number(number) + 1));
      const expectShown = (id: string, answer: Exchange, { exchange }: Snapshot, ask: Pick<Ask, 'params'>) =>
        expectAnyAgreement(
          context,
          'other',
          { answer, before: exchange, call: area.showStartPopup, names: [id] },
          { operation: area.popupStatus, ...ask },
        );
      // Without another archive, the answer may still contradict the status.
      const withoutAnother = async (why: string) => {
        await expectShown(given, await context.mustSucceed('other', area.showStartPopup), one, {});
        context.cannotTell('unknown-resource', why);
      };
      if (archiveId === given) await withoutAnother('no answer names another archive');
      const params = { archiveId };
      // An archive id that Assay made up need not exist.
      if (another === undefined && !isSuccess(await context.send('other', area.popupStatus, { params })))
        await withoutAnother(`no answer names another archive, and ${archiveId} is none`);
      const before = await context.snapshot('other', area.popupStatus, { params });
      const answer = await context.mustSucceed('other', area.showStartPopup, {
        params,
        mayRefuse: 'the popup of another archive',
      });
      if (await context.pollUntilDifferent('other', before, area.popupStatus, { params })) return;
      const marksOne = await context.pollUntilDifferent('other', one, area.popupStatus);
      if (!marksOne) {
        await expectShown(archiveId, answer, before, { params });
        context.notTriggered(`${area.popupStatus.id} shows no popup as shown`);
      }
      // A target may take an archive id that Assay made up for the current archive.
      if (another === undefined && !context.mentions(answer, archiveId))
        context.cannotTell('unknown-resource', `nothing says that there is an archive ${archiveId}`);
      context.confirmBody(area.showStartPopup);
      const expected = `${area.popupStatus.id} of ${archiveId} changes`;
      context.expect(false, expected, `that of ${given} changes, and it stays`, answer);
    },
  );

  experience(scenario);

  observe(
    'old-tracks',
    [area.claimOldTracks],
    'how the server answers when a player claims old reward tracks',
    (context) => context.observeAnswer('player', area.claimOldTracks),
  );
}
