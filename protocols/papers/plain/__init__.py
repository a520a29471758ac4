"""Second computations, from the definitions and in plain Python, that the measuring functions compare the code with.

Nothing here calls what it is compared with: tables of functions, answers of tasks, classes of words, the steps of
recurrent layers. They are slow, and short enough to be read beside the definition that they write out.
"""
