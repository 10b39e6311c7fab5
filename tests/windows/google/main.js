// Puts the page together: mouse, clock, endings. What the address may say is in README.md.
'use strict';

const wanted = new URLSearchParams(location.search);
const element = (name) => document.getElementById(name);
const protection = wanted.get('first') || 'safe';
const pace = Number(wanted.get('pace') || 1);
const told = wanted.get('tell') === '1';
let seed = wanted.has('seed') ? Number(wanted.get('seed')) : Math.floor(Math.random() * 1e9);

const painter = new Painter(element('board'), wanted.get('font') || 'sans');
const motion = new Motion(pace);
const chance = randomFrom(4711);     // of what only moves: never of where the mines are
let field, under = -1, pressed = -1, ending = null, begun = 0, seconds = 0, timers = [], blasting = 0;

if (wanted.get('page') === 'dark') document.body.classList.add('dark');
if (wanted.get('tutorial') === '0') element('tutorial').hidden = true;

function begin(level) {
  timers.forEach(clearTimeout);
  timers = [];
  field = new Field(level, seed, protection);
  seed += 1;
  ending = null; begun = 0; seconds = 0; pressed = -1; blasting = 0;
  motion.clear();
  element('ending').hidden = true;
  element('level-name').textContent = level[0].toUpperCase() + level.slice(1);
  element('game').style.width = field.columns * field.cell + 'px';
  painter.fit(field);
  header();
  tell();
  wake();
}

function header() {
  element('flags').textContent = field.mines - field.flag.filter((one) => one).length;
  element('seconds').textContent = String(Math.min(999, seconds)).padStart(3, '0');
}

// For the tests, which compare it with what the bot read. The bot has no use for titles.
// The boards before the last one are told again: who looks seldom misses none. Longer titles are cut off.
const LONGEST_TITLE = 3500;
let tellings = [];
function tell() {
  if (!told) return;
  tellings.push(field.seen());
  while (tellings.join(' ').length > LONGEST_TITLE) tellings.shift();
  document.title = `mines ${field.level} ${field.state} ${tellings.join(' ')}`;
}

let awake = false;
function wake() {
  if (!awake) { awake = true; requestAnimationFrame(frame); }
}

function frame() {
  const now = performance.now();
  motion.forget(now);
  painter.paint(field, motion, under, ending, now);
  const moving = motion.squares.length + motion.flags.size + motion.bits.length + blasting > 0
    || (ending && ending.won && now - ending.at < 2600 / pace);
  awake = Boolean(moving);
  if (awake) requestAnimationFrame(frame);
}

function cellAt(event) {
  const box = element('board').getBoundingClientRect();
  const column = Math.floor((event.clientX - box.left) / field.cell);
  const row = Math.floor((event.clientY - box.top) / field.cell);
  if (column < 0 || column >= field.columns || row < 0 || row >= field.rows) return -1;
  return row * field.columns + column;
}

function dig(index) {
  if (index < 0) return;
  element('tutorial').style.opacity = 0;
  const now = performance.now(), opened = field.dig(index);
  if (opened.length && !begun) begun = now;
  motion.loosen(opened, field, chance, now);
  if (!ending && (field.state === 'won' || field.state === 'lost')) end(now);
  tell();
  wake();
}

function end(now) {
  const won = field.state === 'won';
  ending = { won, at: now };
  seconds = Math.floor((now - begun) / 1000);
  let best = null;
  try {
    best = Number(localStorage.getItem('best ' + field.level)) || null;
    if (won && (best === null || seconds < best)) { best = seconds; localStorage.setItem('best ' + field.level, String(seconds)); }
  } catch (error) { /* storage is switched off: no best time then */ }
  element('time').textContent = won ? String(seconds).padStart(3, '0') : '---';
  element('best').textContent = best === null ? '---' : String(best).padStart(3, '0');
  element('again').textContent = won ? 'Play again' : 'Try again';
  element('ending').classList.toggle('won', won);
  if (won) {
    timers.push(setTimeout(() => { motion.bloom(field, chance, performance.now(), 900 / pace); wake(); }, 800 / pace));
    timers.push(setTimeout(() => { element('ending').hidden = false; }, 2100 / pace));
    return;
  }
  const rest = [];
  for (let i = 0; i < field.size; i++) if (field.mined[i] && i !== field.hit && !field.flag[i]) rest.push(i);
  rest.sort(() => chance() - 0.5);
  rest.unshift(field.hit);
  blasting = rest.length;
  let at = 0;
  rest.forEach((index, turn) => {
    timers.push(setTimeout(() => {
      motion.blast(index, field, BLASTS[Math.floor(chance() * BLASTS.length)], chance, performance.now());
      blasting -= 1;
      wake();
    }, at / pace));
    at += 10 + 390 * Math.pow(chance(), 1 + turn / 6);
  });
  timers.push(setTimeout(() => { element('ending').hidden = false; }, (at + 700) / pace));
}

element('board').addEventListener('mousemove', (event) => {
  const now = cellAt(event);
  if (now !== under) { under = now; wake(); }
});
element('board').addEventListener('mouseleave', () => { under = -1; wake(); });
element('board').addEventListener('mousedown', (event) => {
  if (event.button === 0) pressed = cellAt(event);
  if (event.button === 2) {
    const index = cellAt(event);
    element('tutorial').style.opacity = 0;
    if (index >= 0 && field.mark(index)) {
      motion.plant(index, field.flag[index], performance.now());
      header(); tell(); wake();
    }
  }
});
element('board').addEventListener('mouseup', (event) => {
  if (event.button === 0 && pressed >= 0 && cellAt(event) === pressed) dig(pressed);
  pressed = -1;
});
document.addEventListener('contextmenu', (event) => event.preventDefault());
element('again').addEventListener('click', () => begin(field.level));
element('level').addEventListener('click', () => { element('levels').hidden = !element('levels').hidden; });
for (const choice of element('levels').children)
  choice.addEventListener('click', () => { element('levels').hidden = true; begin(choice.dataset.level); });
window.addEventListener('resize', () => { painter.fit(field); wake(); });
setInterval(() => {
  if (!begun || ending) return;
  const now = Math.floor((performance.now() - begun) / 1000);
  if (now !== seconds) { seconds = now; header(); }
}, 100);
begin(wanted.get('level') in LEVELS ? wanted.get('level') : 'easy');
