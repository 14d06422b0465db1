// The replay viewer: draws the positions that the page holds. It knows cards and piles, and no rules.

const RANKS = "A23456789TJQK", SUITS = "CSHD", SIGNS = { C: "♣", S: "♠", H: "♥", D: "♦" };
const SPOKEN = { C: "clubs", S: "spades", H: "hearts", D: "diamonds" };
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PAUSE = 700; // milliseconds a step when it plays by itself
const viewer = document.getElementById("viewer");
const at = Object.fromEntries([...(viewer?.querySelectorAll("[id]") ?? [])].map((node) => [node.id, node]));
const watched = { cell: null, deals: [], deal: null, step: 0, timer: 0 };

if (viewer) {
  viewer.hidden = false;
  const cells = JSON.parse(document.getElementById("replays").textContent);
  const choosers = ["game", "variant", "policy"];
  const fits = (cell, names) => names.every((name) => cell[name] === at[`choose-${name}`].value);
  const offer = (name, before) => {
    const select = at[`choose-${name}`], old = select.value;
    const values = [...new Set(cells.filter((cell) => fits(cell, before)).map((cell) => cell[name]))];
    const title = (value) => (name === "game" ? cells.find((cell) => cell.game === value).title : value);
    select.replaceChildren(...values.map((value) => new Option(title(value), value)));
    if (values.includes(old)) select.value = old;
  };
  const choose = async (changed) => {
    choosers.slice(changed + 1).forEach((name, i) => offer(name, choosers.slice(0, changed + 1 + i)));
    await open(cells.find((cell) => fits(cell, choosers)));
  };
  choosers.forEach((name, i) => at[`choose-${name}`].addEventListener("change", () => choose(i)));
  at["choose-deal"].addEventListener("change", () => start(Number(at["choose-deal"].value)));
  at.step.addEventListener("input", () => go(Number(at.step.value)));
  at.peek.addEventListener("change", draw);
  const buttons = { first: () => go(0), back: () => go(watched.step - 1), next: () => go(watched.step + 1), last: () => go(Infinity) };
  for (const [name, act] of Object.entries({ ...buttons, play: toggle })) at[name].addEventListener("click", act);
  viewer.addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: buttons.back, ArrowRight: buttons.next, Home: buttons.first, End: buttons.last, " ": toggle };
    const act = keys[event.key];
    const own = event.key === " " ? "button, input, select" : "select, input";
    if (!act || event.target.closest(own) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  });
  const won = cells.filter((cell) => cell.deals[0].ending === "won");
  const first = won.find((cell) => cell.variant === "default") ?? won[0] ?? cells[0];
  choosers.forEach((name, i) => { offer(name, choosers.slice(0, i)); at[`choose-${name}`].value = first[name]; });
  open(first);
}

async function open(cell) { // the deals of a cell
  watched.cell = cell;
  watched.deals = await unpack(document.getElementById(`cell-${cell.id}`).textContent);
  if (watched.cell !== cell) return; // another was chosen meanwhile
  at["choose-deal"].replaceChildren(...cell.deals.map((deal, i) => new Option(about(deal), i)));
  start(0);
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

function about(deal) {
  return `${deal.seed}: ${[words(deal.ending), ...deal.why].join(", ")} (${deal.moves} moves, ${deal.cards_home} cards home)`;
}

function start(number) { // a deal, at its opening
  const { views, texts } = watched.deals[number];
  const piles = [];
  const positions = views.map(([changed]) => Object.assign(piles, changed).slice());
  watched.deal = { ...watched.cell.deals[number], views, texts, positions };
  at.step.max = views.length - 1;
  pause();
  go(0);
}

function go(step) {
  watched.step = Math.max(0, Math.min(step, watched.deal.views.length - 1));
  if (watched.step === watched.deal.views.length - 1) pause();
  at.step.value = watched.step;
  draw();
}

function toggle() {
  if (watched.timer) return pause();
  if (watched.step === watched.deal.views.length - 1) go(0);
  watched.timer = setInterval(() => go(watched.step + 1), PAUSE);
  playing(true);
}

function pause() {
  clearInterval(watched.timer);
  watched.timer = 0;
  playing(false);
}

function playing(now) { // a screen reader is not told each step of a deal that runs
  at.play.textContent = now ? "Pause" : "Play";
  at.play.setAttribute("aria-pressed", String(now));
  at.said.setAttribute("aria-live", now ? "off" : "polite");
}

function draw() {
  const { deal, step } = watched;
  const [, count, listed, chosen] = deal.views[step];
  const legal = listed.map((number) => readMove(deal.texts[number]));
  const played = chosen === null ? null : legal[Math.min(chosen, legal.length - 1)];
  at.said.textContent = `Step ${step} of ${deal.moves}: ${sentence(played, count)}`;
  at.step.setAttribute("aria-valuetext", at.said.textContent);
  at.board.replaceChildren(...zones(deal.positions[step], played));
  at["legal-title"].textContent = `${count} legal move${count === 1 ? "" : "s"}${count > legal.length ? `, ${legal.length} shown` : ""}`;
  at.legal.replaceChildren(...legal.map((move) => item(move, move === played)));
  reveal(at.legal);
}

function sentence(played, count) {
  const { deal, step } = watched;
  if (played) return `${spoken(played)}, ${count === 1 ? "the only legal move" : `one of ${count} legal moves`}`;
  if (step < deal.moves) return `the moves from here on, ${deal.moves - step}, are not in this page`;
  return `the end: ${words(deal.ending)}, ${deal.cards_home} cards home`;
}

function readMove(text) {
  const [kind, cards, source, target] = text.split("|");
  return { kind, cards: cards ? cards.split(" ") : [], source: source.split(" "), target: target.split(" ") };
}

function spoken({ kind, cards, source, target }) {
  return `${kind} ${cards.map(sign).join(" ") || "-"} ${source.join(" ")} → ${target.join(" ")}`;
}

function item(move, played) {
  const line = element("li");
  line.append(spoken(move));
  if (played) {
    line.setAttribute("aria-current", "true");
    line.append(element("b", ""));
    line.lastChild.textContent = " played";
  }
  return line;
}

function reveal(list) { // scroll the list, and never the page
  const line = list.querySelector("[aria-current]");
  list.scrollTop = line ? line.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
}

function zones(piles, played) {
  let first = 0;
  return watched.cell.zones.flatMap((zone) => {
    if (zone.name === "stock" && watched.deal.positions.every((position) => position[first] === "")) { // there is none
      first += zone.piles;
      return [];
    }
    const box = element("section", zone.spread ? "zone spread" : "zone");
    const head = element("h4");
    head.textContent = words(zone.name);
    const row = element("div", "piles");
    for (let i = 0; i < zone.piles; i++) {
      if (piles[first + i] !== null) row.append(pile(`${zone.name}[${i}]`, piles[first + i], zone, i, played));
    }
    first += zone.piles;
    box.append(head, row);
    return [box];
  });
}

function pile(name, text, zone, number, played) {
  const hidden = text.indexOf("|") + 1 && text.indexOf("|");
  const cards = [...text.replace("|", "")].map((letter, i) => ({ name: card(letter), seen: i >= hidden || at.peek.checked }));
  const box = element("div", "pile");
  box.dataset.pile = name;
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", `${name}: ${described(cards)}`);
  const shown = zone.spread ? cards : cards.slice(-1);
  box.append(...(shown.length ? shown.map(face) : [element("span", "card space")]));
  if (played?.source.includes(name)) box.classList.add("from");
  if (played?.target.includes(name)) box.classList.add("to");
  mark(box, played);
  const foot = element("small");
  foot.textContent = (zone.piles > 1 ? number : "") + (zone.spread || cards.length < 2 ? "" : ` (${cards.length})`);
  box.append(foot);
  return box;
}

function mark(box, played) { // the cards that are about to go, the last of each name
  if (!box.classList.contains("from") && !(played?.cards.length > 1 && box.classList.contains("to"))) return;
  for (const name of played.cards) [...box.querySelectorAll(`[data-card="${name}"]`)].at(-1)?.classList.add("going");
}

function described(cards) {
  const down = cards.filter((one) => !one.seen).length;
  const up = cards.filter((one) => one.seen).map((one) => `${one.name[0].replace("T", "10")} of ${SPOKEN[one.name[1]]}`);
  return [...(down ? [`${down} face down`] : []), ...up].join(", ") || "empty";
}

function face({ name, seen }) {
  if (!seen) return element("span", "card back");
  const made = element("span", `card ${SPOKEN[name[1]]}`);
  made.dataset.card = name;
  made.textContent = sign(name);
  return made;
}

function card(letter) {
  const number = LETTERS.indexOf(letter);
  return RANKS[number % 13] + SUITS[Math.floor(number / 13)];
}

function sign(name) { // the selector keeps a suit from being drawn as an emoji
  return `${name[0].replace("T", "10")}${SIGNS[name[1]]}\ufe0e`;
}

function words(name) {
  return name.replaceAll("_", " ");
}
