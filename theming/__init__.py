"""Cuts and draws the themes of `templates/`: a tool for those who work on minebot, not a part of the bot.

python -m theming.cut NAME        plays a game on a virtual screen until every glyph was seen, and writes them
python -m theming.draw_themes     draws the themes of games that cannot be run here
"""
