"""Live games under Windows' Python, which runs under Wine: `python -m tests.windows_python FOLDER`.

In: FOLDER, made by `layout/lay_out.sh`. Out: a line a case. `windows_python` starts and ends programs,
`games` has the cases that play, `ends` those that stop it, `suite` the tests, `commands` all others;
`killed` is for `tests.kills`. `progress` keeps which cases were well, and `sources` says whether they still
count.
"""
